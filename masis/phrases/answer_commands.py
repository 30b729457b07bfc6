"""Commands on the last answer of a thread: "search wider", "where does it say that", "shorter please".

By one closed table, like small talk: a message is a command where nothing else stands in it.
"""

import re
from typing import Final, Literal, NamedTuple

from masis.phrases.closed_phrases import MOST_WORDS, Phrases
from masis.phrases.small_talk_table import SMALL_TALK

Command = Literal[
    "wider",
    "more",
    "source",
    "shorter",
    "list",
    "table",
    "part",
    "plainer",
    "written",
    "language",
]
"""A wider search; more of what was found; where it stands; less text; its points one by one, or as rows; what
it says of one thing; plainer words; a message made of it; another language."""

MOST_CHARS: Final = 120

LANGUAGES: Final[dict[str, str]] = {
    **dict.fromkeys(("english", "englisch", "anglais", "ingles", "inglese", "engels"), "English"),
    **dict.fromkeys(("german", "deutsch", "allemand", "aleman", "tedesco", "duits"), "German"),
    **dict.fromkeys(("french", "francais", "franzosisch", "frances", "francese"), "French"),
    **dict.fromkeys(("spanish", "espanol", "spanisch", "espagnol", "castellano"), "Spanish"),
    **dict.fromkeys(("italian", "italiano", "italienisch", "italien"), "Italian"),
    **dict.fromkeys(("portuguese", "portugues", "portugiesisch"), "Portuguese"),
    **dict.fromkeys(("dutch", "nederlands", "niederlandisch"), "Dutch"),
    **dict.fromkeys(("polish", "polski", "polnisch"), "Polish"),
    **dict.fromkeys(("swedish", "svenska"), "Swedish"),
    **dict.fromkeys(("danish", "dansk"), "Danish"),
    **dict.fromkeys(("norwegian", "norsk"), "Norwegian"),
    **dict.fromkeys(("turkish", "turkce", "turkisch"), "Turkish"),
    **dict.fromkeys(("ukrainian", "українська", "українською"), "Ukrainian"),
    **dict.fromkeys(("arabic", "العربية"), "Arabic"),
    **dict.fromkeys(("hindi", "हिन्दी", "हिंदी"), "Hindi"),
    **dict.fromkeys(("chinese", "mandarin", "中文"), "Chinese"),
    **dict.fromkeys(("japanese", "日本語"), "Japanese"),
}
"""Names of languages, in themselves and in others, by what they are called in English."""

_CLASSES: Final = {
    "ASK": "can_you|could_you|would_you|will_you|can_i|could_i|may_i|can_we|i_want_you_to|please|i_would_like_you_to"
    "|id_like_you_to|i_want|i_need|i_would_like|lets|let_us|do|kindly|try_to|try",
    "IT": "it|that|this|the_answer|your_answer|that_answer|this_answer|the_last_answer|your_last_answer|your_reply"
    "|the_reply|the_above|what_you_said|your_last_message|all_that|the_previous_answer|all_of_that|the_text",
    "SHOWN": "source|sources|evidence|reference|references|citation|citations|quote|quotes|passage|passages|document"
    "|original|proof|page|paragraph|excerpt|excerpts|extract|original_text|exact_text|exact_passage|exact_quote"
    "|exact_wording|wording|original_passage|source_document|source_documents|source_text|source_passage|link|links"
    "|quotation",
    "SOURCE": "source|sources|evidence|reference|references|citation|citations|quote|quotes|passage|passages|document"
    "|documents|doc|docs|file|files|original|text|proof|page|pages|paragraph|excerpt|excerpts|extract|original_text"
    "|exact_text|exact_passage|exact_quote|exact_wording|wording|original_passage|source_document|source_text"
    "|source_passage|link|section|quotation|place",
    "COUNT": "a|a_single|one|two|three|1|2|3|a_couple_of|a_few|few|some|one_or_two|two_or_three|just_one|just_two",
    "LINE": "line|lines|sentence|sentences|word|words|phrase|paragraph",
    "TABLE": "a_table|table|one_table|a_small_table|a_little_table|a_simple_table|table_form|tabular_form|table_format"
    "|a_table_format|rows_and_columns|columns|a_spreadsheet|a_grid",
    "THOSE": "it|that|this|them|those|these|the_answer|your_answer|the_last_answer|those_numbers|these_numbers"
    "|the_numbers|those_figures|these_figures|the_figures|all_that|all_of_that|the_above|those_points|the_points",
    "MESSAGE": "email|e_mail|mail|message|memo|letter|note|post|slack_message|teams_message|text|text_message|reply"
    "|announcement|paragraph_of_text|short_email|short_message|short_note|quick_email|quick_message",
    "READER": "for_me|for_us|for_him|for_her|for_them|for_the_customer|for_a_customer|for_my_customer|for_my_boss"
    "|for_my_manager|for_my_team|for_the_team|for_my_colleague|for_a_colleague|for_my_colleagues|for_the_client"
    "|for_a_newcomer|for_the_board|for_my_notes",
    "LANGUAGE": "|".join(LANGUAGES),
}
_LINES: Final = {
    "wider": """
    ASK? search|look|searching|looking more? wider|broader|wide|widely|broadly|again|more_broadly|more_widely|further|harder|deeper|everywhere|elsewhere|wider_please|once_more|a_bit_wider|more_deeply|in_more_places
    ASK? widen|broaden|extend|expand|repeat|redo the|your search|net|query
    ASK? a? wider|broader|deeper search|query|net
    ASK? cast a wider net
    ASK? search|look|dig for? more|deeper|further|everything|all_documents|in_all_documents|in_everything
    wider|broader please?
    ASK? look|search|check|try|dig somewhere_else|elsewhere|in_other_documents|in_the_other_documents|in_other_places|other_documents too|as_well|also?
    are you quite|really|absolutely? sure|certain there_is|theres|there_s|that_there_is|that_is|thats|that_s nothing_else|nothing_more|not_more|all|everything|no_more
    try|check|search|look again|harder|once_more|once_again|elsewhere
    is|are that|there all|all_there_is|everything|all_you_have|all_you_found|all_you_can_find|nothing_else|nothing_more|nothing_more_in_there
    anything|something else|more in_there|you_found|you_can_find?
    """,
    "more": """
    ASK? tell|give|show|send me|us a? bit|little|lot? more about_it|about_that|about_this|on_that|on_this|on_it|of_that|of_it|detail|details|information|info|context|of_the_passage|of_the_text|than_that?
    ASK? more|further|additional|extra|some_more|a_bit_more|a_little_more detail|details|information|info|context|background|depth|about_it|about_that|about_this|on_that|on_this|on_it?
    ASK? elaborate|expand|go_on|continue|explain_more|say_more|go_deeper|explain_further|elaborate_further|elaborate_more|be_more_detailed|be_more_specific|give_details|explain_in_more_detail|explain_in_detail on_that|on_it|on_this?
    ASK? explain|describe IT more|further|in_more_detail|in_detail|in_more_depth|better
    in more detail|depth
    ASK? what is|s? the? full|whole|entire|complete|rest_of_the text|paragraph|passage|section|wording|answer|story|sentence
    ASK? read|show|give|send|see me|us? the full|whole|entire|complete text|paragraph|passage|section|wording|story|sentence READER?
    ASK? read|show|give|send me|us? the rest READER?
    longer|longer_please|a_longer_answer|a_longer_version|a_bit_longer|a_fuller_answer|the_full_version|in_full|the_long_version
    what else does it say|what_else_does_that_say|what_else|what_else_is_there|what_else_do_they_say|what_else_is_in_there|what_else_does_it_say_there
    anything|something more|else about_it|about_that|on_that|on_this|on_it|it_says
    """,
    "source": """
    ASK? show|give|send|tell|name|list|quote|cite|post|see|share|provide|display me|us? the|your|all|all_the|its|that|this|a|some|any|me_the|all_your? SHOWN for_it|for_that|for_this|of_it|of_that|behind_it|behind_that|you_used|you_cited|it_is_from|again|itself|where_it_says_that|where_that_stands|with_page|with_pages|in_full|please?
    ASK? show|tell|give me|us? where it|that says|stands|is|comes_from|is_written|is_stated that|this|so|from?
    the|your|its? SHOWN for_it|for_that|for_this|of_that|of_it|please?
    what is|are|was|were the|your|its SHOWN for_it|for_that|for_this|of_that|of_it|you_used|here?
    what|which SOURCE is|was|did|does|are|were it|that|this|you|those|they? in|from|say|says|use|used|taken_from|mentioned_in|written_in|based_on|get_that_from|get_it_from|cite|saying|stated_in that|this|it|so|from?
    what|which SHOWN
    what|which SOURCE say|says|said|states|state that|this|so|it
    in|from|on|of|under which|what SOURCE was|is|does|did|do|are|were? it|that|this|you|they? say|says|stand|stands|found|find_that|find_it|find_this|written|stated|mentioned|say_that|said|come_from|read_that|get_that|get_it|from? that|this|so|it?
    where does|did|do|is|was|are|were it|that|this|they|he|you|the_document|the_doc|the_text|the_policy|those|these say|says|said|come|stand|written|stated|mentioned|documented|find|get|read|see|from|found|taken|have|standing|written_down|defined|come_out_of|noted|got|quoted that|this|it|so|from|those|that_from|this_from|it_from|exactly|from_exactly|so_exactly|that_exactly|down?
    where exactly|precisely does|is it|that say|stated|written|from|says|stand that|this|so?
    where|who says|said|stated that|so|this|it
    says who|where|which_document|what_document
    where is|are the|your SHOWN for_that|for_it|for_this?
    where is|did|do that|this|it|you|those from|get_that_from|get_this_from|get_it_from|find_that|find_it|find_this|read_that|see_that|see_this|have_that_from|know_that_from
    how do you know that|this|it?
    how are|can you be? so? sure|certain of_that|about_that?
    are|r you quite|really|absolutely? sure|certain about_that|about_this|of_that?
    is|was that|this|it really|actually? true|correct|right|written_down|documented|official|sourced
    based on what|which SOURCE?
    what is|was that|this|it|the_answer|your_answer based_on|from|taken_from
    what do|did you base IT on
    can|could you|u prove|verify|back|source|cite|quote|reference it|that|this up?
    prove it|that
    who wrote|said|decided that|this
    when was that|this|that_answer|the_answer|it written|said|decided|updated|last_updated|written_down
    how old|current|recent|new|up_to_date is that|this|that_answer|this_answer|the_answer|that_information|this_information|that_info|this_info
    is|are that|this|that_answer|this_answer|the_answer|that_information|this_information|that_info|this_info|those|these still? current|up_to_date|the_latest|the_latest_version|the_newest|the_current_version|the_latest_figure
    got|have|any|do_you_have|do_you_have_a|do_you_have_any|is_there|is_there_a|got_a|have_you_got_a|have_you_got|have_you_got_any a|any|the? SHOWN for_that|for_it|for_this?
    ASK? quote|cite|copy|paste|read|repeat|show me|us? IT? me? word_for_word|verbatim|literally|exactly|as_written|as_it_stands|in_the_original_words
    word_for_word|verbatim please?
    quelle|quellen|woher|wo_steht_das|zeig_mir_die_quelle|source_please|sources_please|link_please|citation_needed|reference_please
    """,
    "shorter": """
    ASK? make|keep|say|put|get|cut|have IT a_bit|a_little|much|even|more|it? shorter|short|briefer|brief|briefly|more_briefly|concise|more_concise|down|in_one_sentence|in_a_sentence|in_short|in_brief|simpler|more_concisely|concisely|in_fewer_words|crisper|snappier|shorter_please|to_one_sentence|in_two_sentences|in_one_line|to_one_line|in_a_nutshell|shortly
    ASK? shorten|summarise|summarize|condense|abbreviate|cut|compress|trim|abridge|sum_up|boil_down IT down|up|in_one_sentence|in_a_sentence|briefly|for_me|in_one_line?
    a_bit|a_little|much|even|way? shorter|briefer|simpler
    shorter|briefer please|version|answer|version_please?
    ASK? give|tell|write|answer|say|reply|summarise|be me|us? a|the|that|it? shorter|short|brief|briefer|briefly|quick|one_sentence|one_line|concise|more_concise|more_brief|shortest|tldr|more_concisely version|answer|summary|one|reply|of_that|of_it|instead?
    in short|brief|a_nutshell|one_sentence|a_sentence|fewer_words|one_line|two_sentences|a_word
    tldr|tl|briefly|the_short_version|the_short_answer|the_gist|just_the_gist|the_gist_please|short_version|short_answer|keep_it_short|kurz|kurzer|kurz_bitte|kurzer_bitte|plus_court|too_long|that_is_too_long|too_much_text|too_long_didnt_read|too_wordy|less_text|fewer_words|summary|summary_please|short_please|the_essentials|just_the_essentials|one_sentence|bottom_line|the_bottom_line|dr
    tl dr
    in|into|to? COUNT? short|single|quick|brief|plain|simple LINE only|max|maximum|at_most|tops|is_enough|will_do|is_fine|would_do|please? READER?
    ASK? make|keep|say|put|get|cut|have|give|tell|answer|write me|us? IT? down? to_me|to_us? in|into|to? COUNT short|single|quick|brief|plain|simple LINE only|max|please? READER?
    ASK? give|send|tell|show|write me|us? a|the one|two|single|1|2 LINE version|answer|summary READER?
    ASK? give|send|tell|show|write me|us? a|the? one-line|two-line|one-sentence|two-sentence|one-liner|one_liner version|answer|summary READER?
    ASK? sum|boil|wrap IT? up|down IT? quickly|briefly|shortly|for_me|for_us|for_my_boss|fast|in_short?
    just|only a|one|the? short|quick|single? LINE|summary|gist|essentials|headline|answer only|please? READER?
    short|shorter|quick|brief|the_short|a_short|a_shorter|one_line version|summary|answer READER
    ASK? make|keep|say|put|have IT a_bit|a_little|much|even|way? shorter|briefer|brief|short READER
    in|into|to? COUNT LINE only|max|maximum|at_most|tops|is_enough|will_do|please?
    ASK? make|keep|say|put|get|cut|have|give|tell|answer me|us? IT? down? in|into|to? COUNT LINE READER?
    ASK? shorten|summarise|summarize|condense|compress|sum_up|boil_down|cut IT? down|up? READER? in|into|to COUNT LINE READER?
    ASK? shorten|summarise|summarize|condense|sum_up IT READER
    way|much|far|a_bit|a_little|still|it_is|that_is|that_was? too long|much|wordy|long_winded|verbose|detailed
    """,
    "table": """
    ASK? make|put|give|show|get|have|turn|format|write|do|say|draw|present|arrange|see me|us? THOSE? as|in|into|to TABLE READER? instead?
    now|and|ok? as|in|into TABLE READER? instead?
    TABLE please|version|instead?
    ASK? make|give|show|draw|create|build|do|get|have me|us? a? table of|from|with|out_of? THOSE READER?
    ASK? make|give|show|draw|do|create me|us? a|one table
    ASK? tabulate THOSE READER?
    """,
    "plainer": """
    in|using plain|simple|plainer|simpler|easy|everyday|normal|laymans|other english|words|language|terms
    ASK? say|put|explain|write|give|tell|rephrase|reword|phrase|make me|us? IT? in|into|using|with plain|simple|plainer|simpler|easy|everyday|normal|laymans|other|different english|words|language|terms READER?
    ASK? say|put|make|explain|write IT? more? simpler|plainer|easier|simply|plainly|easier_to_read|easier_to_understand|clearer|clearly READER?
    ASK? rephrase|reword|paraphrase|simplify IT READER?
    ASK? explain IT? to_me? like|as_if i am|im|i_was|i_were? five|5|a_child|a_five_year_old|six|new|new_here
    huh|what_do_you_mean|what_did_you_mean|what_do_you_mean_by_that|what_do_you_mean_by_this|what_does_that_mean|what_does_this_mean|i_dont_understand|i_do_not_understand|i_dont_get_it|i_dont_get_that
    eli5|simpler|plainer|simpler_please|plain_english|plain_english_please|less_jargon|without_jargon|without_the_jargon|no_jargon
    """,
    "written": """
    ASK? write|put|draft|make|turn|format|phrase|send|give|word me|us? IT? up? as|into|in an|a MESSAGE READER? to_send|i_can_send|that_i_can_send|to_forward|to_copy|i_can_forward?
    ASK? write|draft|compose|make|prepare|send me|us? an|a MESSAGE to_my_boss|to_my_manager|to_the_team|to_my_team|to_hr|to_finance|to_them|to_him|to_her|to_the_customer|to_a_customer|to_my_colleague|to_my_colleagues|to_it|to_everyone? with|about|from|of|out_of IT
    ASK? write|draft an|a MESSAGE
    """,
    "list": """
    ASK? list THOSE one_by_one|one_after_the_other|point_by_point|separately READER?
    ASK? make|put|give|show|get|have|turn|format|write|do|say me|us? IT? as|in|into? a|some? checklist|check_list|steps|todo_list|to_do_list|numbered_steps|separate_points|short_points READER?
    as|in a|some? checklist|check_list|steps|todo_list|to_do_list|numbered_steps READER?
    steps|checklist please
    ASK? make|put|give|show|get|have|turn|format|write|do|say me|us? IT? as|in|into? a|some? bulleted|bullet|numbered|short? list|bullets|bullet_points|points|bulletpoints READER?
    as|in a|some? bulleted|bullet|numbered|short? list|bullets|bullet_points|bulletpoints
    ASK? list IT out|up? READER?
    bullets|bullet_points|bulletpoints please?
    point_by_point|one_by_one|item_by_item
    """,
    "language": """
    in|auf|en|into|to LANGUAGE language|version|instead?
    ASK? translate|put|say|write|give|answer|repeat|explain|show|tell|render|convert|reply|send|have|get|summarise|speak me|us? IT? to|into|in|auf LANGUAGE instead?
    ASK? speak|use|write|answer|reply LANGUAGE
    in|en? LANGUAGE please|version|translation|bitte|version_please|translation_please|sil_vous_plait|s'il_vous_plait|instead|por_favor
    translate IT? to|into|in LANGUAGE
    the|a LANGUAGE version|translation
    ASK? give|send|show|make me|us? a|the|it|that LANGUAGE version|translation
    ASK? translate IT? for_me|for_us?
    ubersetze|ubersetz|ubersetzen das|es|bitte|es_bitte|das_bitte? auf|ins LANGUAGE?
    antworte|schreib|schreibe|sag|kannst_du das|es|mir|mir_das? auf|in LANGUAGE bitte|sagen|antworten|schreiben?
    traduis|traduire|traduce|traduci|traducelo|traduisez en|in|al|le|la? LANGUAGE?
    """,
}
_COMMANDS: Final = Phrases(
    lines=_LINES | dict(SMALL_TALK.lines),
    classes=dict(SMALL_TALK.classes) | _CLASSES,
    spellings=SMALL_TALK.spellings,
    distinctive=SMALL_TALK.distinctive | {"shorter", "source", "sources", "wider", "document"},
    no_typos=SMALL_TALK.no_typos | {"shorer", "sauce"},
)


def command(text: str) -> Command | None:
    """Return what a message wants of the last answer; None where one word says something else."""
    if len(text) > MOST_CHARS:
        return None
    if part(text) is not None:
        return "part"
    tokens = _COMMANDS.tokens(text)
    if not tokens or len(tokens) > MOST_WORDS:
        return None
    kinds = _COMMANDS.kinds(tokens)
    wanted: list[Command] = [kind for kind in _ALL if kind in (kinds or ())]
    if len(wanted) > 1:  # "shorter, as a list"
        wanted = [kind for kind in wanted if kind != "shorter"]
    return wanted[0] if len(wanted) == 1 else None


_ALL: Final[tuple[Command, ...]] = (
    "wider",
    "more",
    "source",
    "shorter",
    "list",
    "table",
    "plainer",
    "written",
    "language",
)


class Part(NamedTuple):
    """Say what of an answer is wanted: what it says of something in these words, or its figures."""

    words: str
    figures: bool


def part(text: str) -> Part | None:
    """Return which part of the last answer is wanted alone: "only the bit about managers"."""
    said = _COURTESY.sub("", " ".join(text.split()))
    for pattern in _PARTS:
        found = pattern.fullmatch(said)
        if found is None:
            continue
        named = found.groupdict()
        # "Just the deadline" asks for one thing, of which the answer may have more or none.
        alone = bool(found["only"]) and not named.get("one")
        if _asks_for_less(found["lead"], alone=alone):
            words = (named.get("after") or named.get("before") or "").strip()
            return Part(words, figures=not words)
    return None


def _asks_for_less(lead: str, *, alone: bool) -> bool:
    """Tell whether a part is asked of what was answered: by "only", or behind a command."""
    bare = lead.strip(" ,;:.!-–—")
    if not bare or _GIVE.fullmatch(bare):
        return alone
    tokens = _COMMANDS.tokens(bare)
    kinds = set(_COMMANDS.kinds(tokens) or ())
    return bool(kinds & {"shorter", "list", "plainer"}) or (alone and bool(kinds))


_COURTESY: Final = re.compile(
    r"(?:[\s,]+(?:please|pls|plz|thx|thanks|for me|ta|cheers))*[\s?.!]*\Z", re.IGNORECASE
)
_GIVE: Final = re.compile(
    r"(?:please |pls |ok |and |so )*(?:(?:can|could|would|will) (?:you|i) )?(?:please )?"
    r"(?:(?:i )?(?:just |only )?(?:need|want|give|show|tell|send|read|have|repeat|say|get|keep)(?: me| us)?)?",
    re.IGNORECASE,
)
_LEAD: Final = r"(?P<lead>.{0,60}?)\b(?P<only>(?:just|only)\s+)?(?:the|that|your)\s+"
_PIECE: Final = r"(?:bit|part|piece|section|sentence|line|point)s?"
_PARTS: Final = (
    re.compile(
        rf"{_LEAD}{_PIECE}\s+(?:about|on|for|of|with|regarding|that mentions|with the)\s+(?P<after>.{{2,60}})",
        re.IGNORECASE,
    ),
    re.compile(rf"{_LEAD}(?P<before>[\w'’&-]+(?:\s[\w'’&-]+){{0,3}})\s+{_PIECE}", re.IGNORECASE),
    re.compile(
        rf"{_LEAD}(?:number|figure|amount|sum|percentage|value|(?P<one>price|date|deadline))s?",
        re.IGNORECASE,
    ),
)


def language(text: str) -> str:
    """Return the language that a message names, as English calls it; empty where it names none."""
    words = (token.word for token in _COMMANDS.tokens(text[:MOST_CHARS]))
    return next((LANGUAGES[word] for word in words if word in LANGUAGES), "")
