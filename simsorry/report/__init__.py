"""Reports: what a study found, in words, tables and figures, as HTML, Markdown, pictures and JSON."""
