"""Monte Carlo variant analysis of Sorry! games: what does this rule do to this game?

The parts, each of which imports only those below it:

    cli         the commands
    report      figures, tables and finished reports
    metrics     what is measured; stats: intervals, comparisons, verdicts
    results     the files that hold the games played
    simulate    a task, and playing it on all cores
    rulesets    the named rules; policies: the named ways to play them
    games       the rules of play of each game, compiled
    errors      the one exception that users see
"""

__version__ = "0.1.0"
