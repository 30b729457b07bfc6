"""Keep the numbers by which a code is given, asked about or offered, each with what it was chosen on.

Favours are logarithms, as `masis.codelists.ranking` makes them. Half of the occupations and the ticket texts
are those of `tests/bench/RESULTS.md`, where the figures for these numbers stand.
"""

from typing import Final

# --- told apart ----------------------------------------------------------------------------

MARGIN: Final = 0.35
"""How much more the best code must be favoured than the best one of another parent, at 1.3 times as likely.
Chosen on every second of 300 labelled occupations: with 0.6 five more of a hundred are asked about, and one
more of a hundred codes that are given is right."""
WIDE_MARGIN: Final = 1.2
"""The same for two whose titles differ by words of which the text has none (occupations)."""
SIBLINGS_MARGIN: Final = 0.5
"""The same for two codes of one parent (occupations)."""
CLEAR_LEAD: Final = 2.5
"""The same as the first where the best code is not near to the text either: people's own words for a short
list. Below it every second code would be a wrong one (ticket texts)."""
SIBLINGS_LEAD: Final = 2.0
"""The same for two codes of one parent (ticket texts)."""
LEAD_AFTER_REPLY: Final = 1.0
"""The same for both, once somebody has said more of it who has seen what it may be (ticket texts)."""
REPLY_WEIGHT: Final = 1.5
"""How much what was said last counts against what was said before, each by the root of its different words.
Of 35 replies in words to ticket texts and 166 to occupations 23 and 73 then have their code first; where all
count alike 20 and 70, by the reply alone 18 and 66."""

# --- near ----------------------------------------------------------------------------------

SURE_COSINE: Final = 0.55
NEAR_COSINE: Final = 0.5
"""A text is near to a code from this cosine of the code's nearest words on; where the passage is near as
well, which holds other rows too, from the second one (ticket texts)."""
FAR: Final = 0.4
FAR_LEAD: Final = 3.5
"""Share of the relevance threshold below which what was found is not worth offering, unless a code leads
by so much (ticket texts, and half of 60 that have no type at all)."""
FEW_STRANGE: Final = 5
STRANGE_FAR: Final = 0.58
STRANGE_FAVOURED: Final = 7.0
"""The same of a text of so few different words, none of which a row has, whose best code is favoured less than
that, unless it leads by `CLEAR_LEAD`."""
RELEVANCE_WORTH: Final = 6.0
LEAST_FAVOURED: Final = 8.4
"""The same of a text whose best code is favoured less than that, with so much for a passage that is near."""
LEAST_SPREAD: Final = 0.6
"""The same of a list that has titles alone, whose passages tell little: the standard deviation of their cosines, as a
share of that of the titles' to one another. Below it are 7 to 10 % of what four such lists are of (cost centres,
ticket types, occupations of two lists) and 70 to 80 % of 60 or 70 texts that are of none; with the multilingual
embedder 3 and 10 % (the first two), and 34 and 37 %."""
LITTLE_COSINE: Final = 0.35
"""A code that is no nearer than that may be found by plainer words, which find less where some do."""

# --- short texts ---------------------------------------------------------------------------

FEW_TERMS: Final = 2
"""Different words of a description that says little: codes of one parent are asked about then."""
SHORT_TERMS: Final = 4
FEW_KNOWN: Final = 2
SHARE_OF_ROW: Final = 0.05
"""A text of so many different words, of which the codes' rows have so many, names each code whose row has these
and consists of them to such a share: all of 6 such ticket texts that were given one code have several
(`calibration`). In the long rows of occupations such words say little, and none is held to it."""

# --- several needs ---------------------------------------------------------------------------

NEED_TERMS: Final = 16
"""Different words that a description has at most in which several needs are looked for: longer ones tell of one job
or case from several sides."""
MOST_NEEDS: Final = 3
"""Parts of a description, each of which is searched by itself."""
NEED_CANDIDATES: Final = 10

# --- offered -------------------------------------------------------------------------------

PLAUSIBLE: Final = 2.5
"""A code that is favoured so much less than the best is not what an analyzer may choose."""
OFFERED: Final = 5.0
STEP: Final = 0.8
STEPLESS: Final = 3
"""A code is offered that is favoured at most so much less than the best, where that is not near behind the first
three also at most a step less than the one before it, and each that competes with it. Of 41 ticket texts with one code
that are asked about 36 have it among these, 5.9 each, and of 89 occupations 70, 7.5 each; with 4.0, two and
six it were 33, 4.1 each, and 63."""
TURNED_DOWN: Final = 4.0
"""Where those that are left after "none of these" are so far behind, it is asked what else can be said."""
FEWEST_OPTIONS: Final = 2
MOST_OPTIONS: Final = 8
"""As many as every surface shows."""
MOST_QUESTIONS: Final = 3
"""Design, section 14."""
MOST_EXPLAINED: Final = 2
"""Explanations of a question that are given beside these; a further one counts as a question."""

# --- promised ------------------------------------------------------------------------------

SPREAD: Final = 1.3
"""What favours are divided by before they are likelihoods: undivided they promise a little too much
(occupations)."""
PROMISED: Final = (-0.9, 0.73, 0.48)
"""How sure a likelihood is made: the weights of one, of its log-odds, and of the logarithm of the different words
that were said. Fitted on the codes that are given to every second of 300 labelled occupations, by their whole
description, without the title's words, and by their titles alone, which promised too much. Measured on that half alone,
where whole descriptions are told a little worse than before (calibration error 0.09, where it was 0.06)."""
MOST_FITTED: Final = 37
"""Different words that count at most: 19 of 20 of those descriptions have no more. What is pasted around one
promises nothing."""
CHOSEN: Final = 0.95
"""The confidence of what somebody chose."""
EVEN: Final = 0.5
"""Below it a code or a group is more likely wrong than right, which is said where no more is asked; a text of at most `SHORT_TERMS`
words is asked about. Of long ones seven of 150 would be too, five of them rightly."""
WORTH_SAYING: Final = 0.03
"""Likelihood from which a code is named beside the answer."""

# --- searched ------------------------------------------------------------------------------

MOST_WORDINGS: Final = 4
MOST_CANDIDATES: Final = 30
MOST_IMPROVED: Final = 1
"""Searches in other words, of one description (design, section 14)."""
