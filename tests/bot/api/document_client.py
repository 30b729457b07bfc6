"""A client that handles documents."""

from typing import Any

from tests.bot.api.service import Reply, Service

LEAVE = b"# Leave\nEvery employee has 26 days of annual leave a year.\n"


class Client:
    """A client whose token may handle documents."""

    def __init__(self, service: Service, token: str) -> None:
        self.service = service
        self.token = token

    def place(self, query: str = "") -> str:
        return f"{self.service.place()}/documents{query}"

    async def put(self, content: bytes = LEAVE, name: str = "leave.txt", **headers: str) -> Reply:
        headers = {"Content_Type": "application/octet-stream", **headers}
        return await self.send("POST", self.place(f"?name={name}"), content, **headers)

    async def send(self, method: str, path: str, body: object = None, **headers: str) -> Reply:
        return await self.service.send(method, path, body, token=self.token, **headers)

    async def ended(self, upload_id: str) -> dict[str, Any]:
        reply = await self.send("GET", f"/masis/uploads/{upload_id}", Prefer="wait=10")
        assert reply.status == 200, reply
        body: dict[str, Any] = reply.body
        return body

    async def listed(self, query: str = "") -> dict[str, Any]:
        reply = await self.send("GET", self.place(query))
        assert reply.status == 200, reply
        body: dict[str, Any] = reply.body
        return body
