"""Given names that are no other word of English, for names that are typed without capitals."""

from typing import Final

GIVEN_NAMES: Final = frozenset(
    """
    aaron abdul abigail adam adele adrian agnes ahmed aidan aisha alan albert alejandro alex alexander
    alexandra alfred ali alice alison amanda amelia amir amy ana anders andre andrea andreas andrew
    angela anita anna anne annie anthony antonio arthur ashley audrey barbara beatrice benjamin
    bernard beth bethany brandon brenda brian bridget bruce bruno callum cameron carl carla carlos
    carmen caroline catherine cecilia charles charlotte cheryl chloe chris christian christina
    christine christopher claire clara claudia colin connor craig cynthia daniel daniela darren david
    deborah debbie denise dennis derek diana diego dominic donald donna dorothy douglas duncan dylan
    edith edward eileen elaine eleanor elena elizabeth ella ellen emily emma enrique eric erica erik
    ernest esther ethan eva evelyn fatima felix fernando fiona francesca francis francisco freddie
    frederick gabriel gareth gary gavin geoff geoffrey george gerald gillian giovanni gloria gordon
    graham greg gregory guillaume gustav hamza hannah harriet hassan heather helen helena henry
    howard hugo ian ibrahim ingrid irene isaac isabel isabella jacob jacqueline james jamie jane janet
    jason javier jeff jeffrey jennifer jenny jeremy jerry jessica joan joanna joanne joe joel johanna
    john jonathan jose joseph joshua juan judith julia julian julie justin karen karl katherine
    kathleen kathryn katie keith kelly kenneth kerry kevin khalid kimberly kristen kyle larry laura
    lauren laurence leah leon leonard leslie liam linda lindsay lisa lorraine louis louise lucas lucia
    lucy luis luke lydia lynn madeleine malcolm manuel marco marcus margaret maria marie marion marta
    martha martin matteo matthew maureen maurice megan melanie melissa michael michelle miguel miriam
    mohamed mohammed monica muhammad nadia nancy naomi natalie natasha nathan neil nicholas nicola
    nicole nigel nina noah nora norman oliver olivia omar oscar owen pamela patricia patrick paula
    pauline pedro peter philip philippa phoebe priya rachel rafael rajesh ralph ravi rebecca richard
    robert roberta roger ronald rosemary rupert russell ruth ryan sally samantha samuel sandra sanjay
    sarah sean sebastian sergio sharon sheila shirley simon sofia sonia sophia sophie stefan stella
    stephanie stephen steve steven stuart susan suzanne sven sylvia tania teresa thomas tim timothy
    tobias tracey tracy trevor ursula valerie vanessa veronica victoria vincent virginia vivian walter
    wendy wesley william xavier yasmin yusuf yvonne zoe
    """.split()
)
