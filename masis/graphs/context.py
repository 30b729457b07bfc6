"""What a run is handed beside its state."""

from dataclasses import dataclass, field

from masis.graphs.research.agents import ResearchAgents
from masis.policy import Policy


@dataclass(frozen=True, slots=True)
class Context:
    """The agents that were chosen where the application is composed, and the policy in force.

    `field_keys` are those of the workspace's free fields, as far as the question may name some.
    """

    agents: ResearchAgents
    policy: Policy = field(default_factory=Policy)
    field_keys: frozenset[str] = frozenset()
