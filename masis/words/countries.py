"""Countries and large cities as people write them, with what their people are called and their regions.

A table in code: which country a text speaks of must not depend on what is installed.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

_ANYWHERE: Final = frozenset({"abroad", "overseas", "worldwide", "foreign"})
"""Who says this speaks of every country."""
_US: Final = re.compile(r"(?<!\w)(?:U\.S\.(?:A\.)?|USA?(?!\w))")
_BLANKS: Final = re.compile(r"\s+")
_EVERY: Final = re.compile(r"\b(?:any|every|all|other|another|each) (?:countr|jurisdiction|nation)")

_EUROPE_EU: Final = """
    Austria:Austrian Belgium:Belgian Bulgaria:Bulgarian Croatia:Croatian Cyprus:Cypriot
    Czechia:Czech_Republic,Czech Denmark:Danish Estonia:Estonian Finland:Finnish France:French
    Germany:German,Germans Greece:Greek Hungary:Hungarian Ireland:Irish Italy:Italian
    Latvia:Latvian Lithuania:Lithuanian Luxembourg: Malta:Maltese
    Netherlands:Dutch,Holland !Poland:Polish Portugal:Portuguese Romania:Romanian
    Slovakia:Slovak Slovenia:Slovenian Spain:Spanish Sweden:Swedish
"""
_EUROPE: Final = """
    Albania:Albanian Andorra: Belarus:Belarusian Bosnia:Bosnian Iceland:Icelandic Kosovo:
    Liechtenstein: Moldova:Moldovan Monaco: Montenegro: Norway:Norwegian Russia:Russian
    Serbia:Serbian Switzerland:Swiss Ukraine:Ukrainian
    United_Kingdom:UK,Great_Britain,Britain,British Macedonia:Macedonian
"""
_BRITAIN: Final = "England: Scotland:Scottish Wales:Welsh Northern_Ireland:"
_NORTH_AMERICA: Final = "Canada:Canadian Mexico:Mexican United_States:USA,America,American"
_LATIN_AMERICA: Final = """
    Argentina:Argentinian,Argentine Bolivia:Bolivian Brazil:Brazilian,Brasil !Chile:Chilean
    Colombia:Colombian Costa_Rica: Ecuador: Guatemala: Honduras: Mexico:Mexican Nicaragua: Panama:
    Paraguay: !Peru:Peruvian Uruguay: Venezuela:Venezuelan El_Salvador: Dominican_Republic:
"""
_CARIBBEAN: Final = """
    Bahamas: Barbados: !Cuba:Cuban Haiti:Haitian Jamaica:Jamaican Puerto_Rico: Trinidad: Bermuda:
"""
_ASIA: Final = """
    Afghanistan:Afghan Armenia:Armenian Azerbaijan: Bangladesh:Bangladeshi Bhutan: Brunei:
    Cambodia:Cambodian !China:Chinese !Georgia:Georgian Hong_Kong: India:Indian
    Indonesia:Indonesian Japan:Japanese Kazakhstan: Korea:Korean,South_Korea,North_Korea
    Kyrgyzstan: Laos: Malaysia:Malaysian Maldives: Mongolia:Mongolian Myanmar:Burma Nepal:Nepalese
    Pakistan:Pakistani Philippines:Filipino,Philippine Singapore:Singaporean Sri_Lanka:
    Taiwan:Taiwanese Tajikistan: Thailand:Thai Turkmenistan: Uzbekistan: Vietnam:Vietnamese Macau:
"""
_MIDDLE_EAST: Final = """
    Bahrain: Iran:Iranian Iraq:Iraqi Israel:Israeli !Jordan:Jordanian Kuwait:Kuwaiti
    Lebanon:Lebanese Oman:Omani Qatar:Qatari Saudi_Arabia:Saudi Syria:Syrian !Turkey:Turkish,Türkiye
    United_Arab_Emirates:UAE,Emirates,Dubai Yemen:
"""
_AFRICA: Final = """
    Algeria:Algerian Angola:Angolan Benin: Botswana: Cameroon: !Chad: Congo:Congolese Egypt:Egyptian
    Eritrea: Ethiopia:Ethiopian Gabon: Gambia: Ghana:Ghanaian !Guinea: Ivory_Coast: Kenya:Kenyan
    Lesotho: Liberia: Libya:Libyan Madagascar: Malawi: !Mali: Mauritius: Morocco:Moroccan
    Mozambique: Namibia:Namibian !Niger: Nigeria:Nigerian Rwanda: Senegal: Seychelles:
    Sierra_Leone: Somalia: South_Africa:South_African Sudan:Sudanese Tanzania:Tanzanian !Togo:
    Tunisia:Tunisian Uganda:Ugandan Zambia:Zambian Zimbabwe:
"""
_OCEANIA: Final = "Australia:Australian Fiji: New_Zealand: Papua_New_Guinea: Samoa:"
_STATES: Final = """
    Alabama: Alaska: Arizona: Arkansas: California:Californian Colorado: Connecticut: Delaware:
    Florida: Hawaii: Idaho: Illinois: Indiana: Iowa: Kansas: Kentucky: Louisiana: Maryland:
    Massachusetts: Michigan: Minnesota: Mississippi: Missouri: Montana: Nebraska: Nevada:
    New_Hampshire: New_Jersey: New_Mexico: North_Carolina: North_Dakota: Ohio: Oklahoma: Oregon:
    Pennsylvania: Rhode_Island: South_Carolina: South_Dakota: Tennessee: Texas:Texan Utah: Vermont:
    Virginia: West_Virginia: Wisconsin: Wyoming:
"""
_CITIES: Final = """
    Amsterdam:Netherlands Athens:Greece Atlanta:United_States Auckland:New_Zealand Baghdad:Iraq
    Bangalore:India Bangkok:Thailand Barcelona:Spain Beijing:China Belfast:United_Kingdom
    Belgrade:Serbia Berlin:Germany Birmingham:United_Kingdom Bogota:Colombia Boston:United_States
    Brisbane:Australia Bristol:United_Kingdom Brussels:Belgium Bucharest:Romania Budapest:Hungary
    Cairo:Egypt Calgary:Canada Cardiff:United_Kingdom Chicago:United_States Cologne:Germany
    Copenhagen:Denmark Dallas:United_States Delhi:India Denver:United_States Detroit:United_States
    Dublin:Ireland Edinburgh:United_Kingdom Frankfurt:Germany Geneva:Switzerland
    Glasgow:United_Kingdom Gothenburg:Sweden Hamburg:Germany Hanoi:Vietnam Helsinki:Finland
    Houston:United_States Istanbul:Turkey Jakarta:Indonesia Johannesburg:South_Africa Kiev:Ukraine
    Kyiv:Ukraine Lagos:Nigeria Leeds:United_Kingdom Leipzig:Germany Lima:Peru Lisbon:Portugal
    Liverpool:United_Kingdom London:United_Kingdom Los_Angeles:United_States Lyon:France
    Madrid:Spain Manchester:United_Kingdom Manila:Philippines Marseille:France
    Melbourne:Australia Miami:United_States Milan:Italy Montreal:Canada Moscow:Russia
    Mumbai:India Munich:Germany Nairobi:Kenya Naples:Italy New_York:United_States Osaka:Japan
    Oslo:Norway Ottawa:Canada Paris:France Perth:Australia Philadelphia:United_States Porto:Portugal
    Prague:Czechia Rome:Italy Rotterdam:Netherlands San_Francisco:United_States Santiago:Chile
    Sao_Paulo:Brazil Seattle:United_States Seoul:Korea Shanghai:China Sheffield:United_Kingdom
    Stockholm:Sweden Stuttgart:Germany Sydney:Australia Taipei:Taiwan Tokyo:Japan Toronto:Canada
    Turin:Italy Valencia:Spain Vancouver:Canada Vienna:Austria Warsaw:Poland Zurich:Switzerland
"""
_IN: Final = (
    (_EUROPE_EU, ("european union", "eu", "eea", "europe", "european", "emea", "schengen")),
    (_EUROPE, ("europe", "european", "emea")),
    (_BRITAIN, ("united kingdom", "uk", "great britain", "britain", "british", "europe", "emea")),
    (_NORTH_AMERICA, ("north america", "north american", "americas")),
    (
        _LATIN_AMERICA,
        *(("latin america", "latin american", "south america", "central america", "latam"),),
    ),
    (_CARIBBEAN, ("caribbean", "latin america", "latam", "americas")),
    (_ASIA, ("asia", "asian", "apac", "asia-pacific")),
    (_MIDDLE_EAST, ("middle east", "mena", "emea", "gulf", "asia")),
    (_AFRICA, ("africa", "african", "emea", "mena")),
    (_OCEANIA, ("oceania", "apac", "asia-pacific", "pacific")),
    (_STATES, ("united states", "usa", "america", "american", "state", "states")),
)
"""Each group of countries with the regions whose mention speaks of them too."""


class Country(NamedTuple):
    """A country, state or city: all that it is called, in lower case, and the regions it is in.

    `in_lower_case` says whether its name is no other word of English when it is written small.
    """

    names: frozenset[str]
    regions: frozenset[str]
    in_lower_case: bool


class Mention(NamedTuple):
    """A country where a text speaks of it, as it is written there."""

    country: Country
    written: str
    start: int


def mentioned(text: str) -> Iterator[Mention]:
    """The countries of a text, each mention once; a name that is a common word counts in capitals."""
    for match in _pattern().finditer(text):
        country = _by_name()[_plain(match[0])]
        if _is_meant(match[0], country):
            yield Mention(country, match[0], match.start())


def speaks_of(text: str, country: Country) -> bool:
    """Say whether a text speaks of a country.

    It names it, a region that it is in, or every country there is.
    """
    said = f" {_plain(text)} "
    if any(_has(said, name) for name in country.names | country.regions | _ANYWHERE):
        return True
    return bool(_EVERY.search(said))


def _is_meant(written: str, country: Country) -> bool:
    return country.in_lower_case or written[0].isupper()


def _has(said: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?!\w)", said) is not None


def _plain(text: str) -> str:
    """The text in lower case, the United States told from the pronoun while that can be seen."""
    return _BLANKS.sub(" ", _US.sub("usa", text).lower())


@cache
def _by_name() -> dict[str, Country]:
    found: dict[str, Country] = {}
    for table, regions in _IN:
        for entry in table.split():
            country = _country(entry, regions)
            found.update(dict.fromkeys(country.names, country))
    for entry in _CITIES.split():
        city, _, within = entry.lower().replace("_", " ").partition(":")
        found[city] = _city(city, found[within])
    return found


def _city(name: str, country: Country) -> Country:
    """A city, of which everything speaks that speaks of its country."""
    return Country(frozenset({name}), country.names, in_lower_case=True)


def _country(entry: str, regions: tuple[str, ...]) -> Country:
    name, _, others = entry.partition(":")
    called = [name.lstrip("!"), *filter(None, others.split(","))]
    return Country(
        names=frozenset(each.replace("_", " ").lower() for each in called),
        regions=frozenset(regions),
        in_lower_case=not name.startswith("!"),
    )


@cache
def _pattern() -> re.Pattern[str]:
    names = sorted(_by_name(), key=len, reverse=True)
    either = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in names)
    return re.compile(rf"{_US.pattern}|(?<![\w-])(?i:{either})(?!\w)")
