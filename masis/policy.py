"""Decide on the numbers that people notice, each with its reason; those of one measure stand by it."""

from typing import Final

from masis.domain import Value

# The two thresholds are coupled: stricter evidence allows a stricter pass mark, weaker evidence
# wants a lower one. Move one, and look at the other.
RELEVANCE_THRESHOLD: Final = 0.60
"""A chunk is kept when its relevance reaches this (the scale of text-embedding-ada-002)."""
RETRY_THRESHOLD_DROP: Final = 0.05
"""On a retry the net is widened by this much."""
CONFIDENCE_THRESHOLD: Final = 0.65
"""A draft passes when its confidence reaches this."""

NEAREST_MARK: Final = 0.56
"""From this sum on a question back shows the nearest of its draft, marked as unsure: the confidence,
and half the share of the question's words that the nearest statement has. Of the drafts whose
nearest statements answer 29 of 35 are shown so, of those on questions without an answer 18 of 59;
by the confidence alone it was 28 and 27 (sample, handbook and four small workspaces)."""
NEAREST_WORDS: Final = 0.5
NEAREST_READ_MARK: Final = 1.28
"""The same where the reading model is there: to the sum come the cosine of the nearest statement, what it
counts that this has the right kind of value, and `NEAREST_READ` times the likelihood that it answers.
Of 268 plain questions with an answer 206 are shown it so, of 132 without one 53 are shown something; by
words alone 197 and 52 (both halves)."""
NEAREST_LIKELY_MARK: Final = 1.16
NEAREST_LIKELY: Final = 0.37
NEAREST_MOST_WORDS: Final = 0.65
"""From the lower sum on it is shown where the confidence alone, or the share of the words, is so high. Of 368
plain questions with an answer four more are shown it, of 162 without one four more are shown something; by
the lower sum alone it is five and twelve."""
NEAREST_READ: Final = 0.3
NEAREST_ABSENT: Final = 0.1
"""What is taken off where no document has a word of the question."""

UNSURE_PASSAGE: Final = 0.20
UNSURE_STATEMENT: Final = 0.60
UNSURE_COSINE: Final = 0.20
"""Where no passage is close enough, a statement of the nearest three is shown all the same, marked as
unsure, that the reading model takes for answering, alone and less surely with the rest of its passage,
and that is no further from the question by its cosine. Of 7 questions that ended so and have an answer
3 are shown it, of 30 without one 4 are shown something (plain, sample, handbook and four small
workspaces); with 0.30 for a passage it is 3 of these, without reading the passage 10."""

COVERAGE_GATE: Final = 0.80
"""A chunk that holds this share of the question's weighted terms is kept whatever its cosine."""

RELATIVE_GATE: Final = 0.65
"""On the first pass a chunk is dropped when its nearness is below this share of the nearest
candidate's. Of 533 passages that answer 5 were lost (sample, handbook and CLAPNQ), of all that would
be kept three in ten. A retry looks further, and is not held to it."""

FIRST_PASS_LIMIT: Final = 10
RETRY_LIMIT: Final = 20
"""A retry looks at more candidates, since a lower threshold alone brings back the same ones."""

DEFAULT_MAX_RETRIES: Final = 2
MAX_RETRIES_ALLOWED: Final = 5

CRITIQUE_TEXT_LIMIT: Final = 200
"""Characters of each critique text that may enter a search: a document must not steer it far."""

CRITIQUE_TEXTS: Final = 10
"""How many critique texts may enter a search; the question must stay the heart of it."""

NEAR_DUPLICATE: Final = 0.90
"""Texts that share this part of their word runs may say the same thing."""

MAX_CONTEXT_CHARS: Final = 6000
"""Evidence above this is compressed (coupled to the chunk size of about 800)."""
UNCOMPRESSED_CHUNKS: Final = 3
SUMMARY_CHARS: Final = 200
OVER_COMPRESSION_RATIO: Final = 0.35

INVALID_CITATION_FACTOR: Final = 0.5
UNCITED_PENALTY: Final = 0.03
UNCITED_PENALTY_CAP: Final = 0.40
UNCITED_RETRY: Final = 5
"""From this many uncited claims on, a retry is asked for; the first clamp starts here too."""
UNCITED_SEVERE: Final = 10

SUPPORT_MARK: Final = 0.10
"""A model's sentence whose grade of support is below this is unsupported, as is one that turns what
its source says into the opposite. Of labelled sentences that their source bears out 4.5 % are called
so on the half that it was chosen on, and 5.3 % on the other (`tests/bench/support_bench.py`)."""

CLAMP_HALLUCINATION: Final = 0.40
CLAMP_UNCITED: Final = 0.50
CLAMP_UNCITED_SEVERE: Final = 0.30

FAITHFULNESS_WEIGHT: Final = 0.35
RELEVANCE_WEIGHT: Final = 0.25
COMPLETENESS_WEIGHT: Final = 0.25
REASONING_WEIGHT: Final = 0.15

BADGE_HIGH: Final = 0.80
BADGE_MEDIUM: Final = CONFIDENCE_THRESHOLD
MEDIUM_OPEN_CLAIMS: Final = 1
"""High leaves no claim without a source that bears it out, and Medium so many: with one a reader
knows what to look up, with several the answer is no longer the sources'."""

CASE_WORDS: Final = 18
"""Words of a question, above which a case is told."""
CASE_COMPLETENESS: Final = 0.30
"""A told case of which its answer says less is Medium at most. Of 198 questions of two newcomers five such
answers were High, and two of them right; of the 27 other High ones all were."""

MODEL_CALL_SECONDS: Final = 30.0
"""One model call, slow answers included (the client's own default is 600)."""
RUN_SECONDS: Final = 120.0
"""A whole run, without its waits for the rate limit."""
MODEL_RETRIES: Final = 2
MAX_RETRY_AFTER: Final = 60.0
"""However long a service asks us to stay away, it is asked again after this many seconds."""
CALLS_PER_MINUTE: Final = 10
RATE_WINDOW: Final = 60.0
"""Services count by the minute; any 60 seconds of ours are kept, not only whole minutes."""
MAX_RATE_WAIT: Final = 600.0
"""Seconds: who would wait longer for a permit of the rate limit is refused at once."""
RATE_QUEUE: Final = 200
"""As many calls may wait as requests may (`QUEUE_LIMIT`): each has one under way at a time."""
CALL_DELAY: Final = 0.25
"""Seconds that may pass between the grant of a permit and its call, above a slow commit's time; a
window is longer by them, so that it is exact without a second write (0.4 % fewer calls)."""
PERMIT_REQUEST_RENEWAL: Final = 2.0
PERMIT_REQUEST_SECONDS: Final = 3 * PERMIT_REQUEST_RENEWAL
"""Who waits shows every 2 s that it still does; after 3 misses it is dead and holds up nobody."""
DATABASE_OUTAGE_SECONDS: Final = 20.0
"""Seconds that a model call waits for a database that is away: longer than its restart takes."""
BREAKER_FAILURES: Final = 5
BREAKER_WINDOW: Final = 30.0
BREAKER_OPEN: Final = 30.0
"""After that many failures in so many seconds nobody asks the service for so many seconds."""
EMBEDDING_BATCH: Final = 128
"""Texts a request: with chunks of 800 characters well below the services' 300,000 tokens."""
EMBEDDING_CALLS_PER_MINUTE: Final = 100
"""Services count them apart from chat calls, and allow far more. The largest document that is taken
in, of 20,000 chunks, is 157 requests: two minutes of an upload's ten."""

RERANK_SECONDS: Final = 5.0
"""One call of a reranker: services take some 0.3 s for twenty passages, and an order by sentences is
at hand where it does not come."""
RERANK_WAIT: Final = 1.0
"""Seconds that a search waits for a permit to call it; where none comes, the order by sentences does."""
RERANK_CALLS_PER_MINUTE: Final = 100
"""What Jina's free keys allow. Cohere's production keys allow 1,000, and its trial keys 10."""
RERANK_DEPTH: Final = 20
"""Candidates that a reranker orders: as many as a pass may look at."""

MAX_FINDINGS: Final = 10
FINDING_CHARS: Final = 400
"""A critique's lists are text from a model that read documents: so many, so long, no more."""

MAX_QUESTION_CHARS: Final = 4000
"""Longer than any question; a document belongs into the workspace, not into the question."""

CLARIFICATION_HOURS: Final = 24.0
"""How long a question back waits for its reply."""
KEEP_RUNS_DAYS: Final = 30.0
"""Requests with their audit trails: "How I got this" is asked within days, rarely later."""
KEEP_STEPS_DAYS: Final = 7.0
"""What the steps of ended runs left; it is only for taking a run up again."""
KEEP_CLAIMS_HOURS: Final = 24.0
"""A chat repeats a delivery within hours."""
ACCEPT_SECONDS: Final = 2.0
"""For taking a request in: what is looked up, the wait for those before it, and storing it. Who would
wait longer is refused privately. Slack wants its acknowledgement within 3 s; a commit that is under
way by then gets another half second. Alone it takes 20 ms, and a hundred at once 0.7 s."""
RUN_LIMIT_SECONDS: Final = 600.0
"""A run that goes on longer after its start ends in an honest failure."""
RUN_ATTEMPTS: Final = 3
"""A run that kills its process this often is given up with an apology."""
RUN_OUTAGE_SECONDS: Final = 6 * 3600.0
"""Since its acceptance a run waits so long for a chat or a database that is away, without a count
of its attempts: outages end within hours, and who asked this morning still wants the answer."""
SEARCH_OUTAGE_SECONDS: Final = 300.0
"""Since its first search in vain a run waits so long for vectors that are away: a server starts
again within minutes, and who asked had better be told when it does not."""
QUEUE_LIMIT: Final = 200
QUEUE_LIMIT_PER_WORKSPACE: Final = 50
"""Requests that may wait, in all and of one workspace (design, section 8)."""
MAX_EXPECTED_WAIT: Final = 600.0
"""Seconds: who would wait longer for an answer had better be told at once (design, section 8)."""
TOLD_WAIT: Final = 5.0
"""Seconds: a shorter expected wait is not worth a sentence."""
TYPICAL_RUN_SECONDS: Final = 20.0
"""How long a run works, while too few have ended to tell: three calls of some six seconds. With 8
at a time the last of a full queue then waits 500 s, so that no guess refuses anybody."""
RUNS_AT_ONCE: Final = 8
"""Runs at a time in one process: they wait for models more than they work."""
KEEP_USAGE_DAYS: Final = 400.0
"""What calls cost: a year and a month, to hold a bill against last year's."""


MOST_CLASSIFIED_ROWS: Final = 300
"""Rows of a file that are classified: each takes up to a fifth of a second, and a run has two minutes."""


class Policy(Value):
    """The numbers that an operator may set; the defaults are the product's."""

    relevance_threshold: float = RELEVANCE_THRESHOLD
    confidence_threshold: float = CONFIDENCE_THRESHOLD
    clamp_is_an_issue: bool = True

    def threshold(self, retry_count: int) -> float:
        """The relevance that a chunk must reach on this pass."""
        drop = RETRY_THRESHOLD_DROP if retry_count else 0.0
        return round(self.relevance_threshold - drop, 4)

    @staticmethod
    def limit(retry_count: int) -> int:
        """Return how many reranked candidates are looked at on this pass."""
        return RETRY_LIMIT if retry_count else FIRST_PASS_LIMIT


def allowed_retries(max_retries: int | None) -> int:
    """Return how many retries a run has: 2 for None, 0 stays 0; what is made by hand is held to 0 to 5."""
    wanted = DEFAULT_MAX_RETRIES if max_retries is None else max_retries
    return max(0, min(MAX_RETRIES_ALLOWED, wanted))
