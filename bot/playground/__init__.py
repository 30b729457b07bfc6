"""A stand-in for Slack on one machine: its Web API, its requests to an app, and its people.

Point a client at it with `AsyncWebClient(token, base_url=f"{slack.api_url}/")`, a bot with
`MASIS_SLACK_API_URL={slack.api_url}`. Start at `bot.playground.server.Playground`.
"""
