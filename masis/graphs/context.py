"""What a run is handed beside its state."""

from dataclasses import dataclass, field

from masis.graphs.research.agents import ResearchAgents
from masis.policy import Policy


@dataclass(frozen=True, slots=True)
class Context:
    """The agents that were chosen where the application is composed, and the policy in force."""

    agents: ResearchAgents
    policy: Policy = field(default_factory=Policy)
