/** One file to the page's server, with how far it has come. */

import type { UploadReply } from "../contract";
import { isJson } from "../blocks/json";

const UPLOAD_MS = 120_000;

/** @throws Error with a sentence: the server refused it, or it did not get there. */
export function upload(
  file: File,
  address: { key: string; person: string },
  progress: (share: number) => void,
): Promise<{ id: string; name: string }> {
  const query = new URLSearchParams({ ...address, name: file.name });
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `upload?${query.toString()}`);
    request.timeout = UPLOAD_MS;
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) progress(event.loaded / event.total);
    };
    request.onload = () => {
      const reply = replyOf(request.responseText);
      if (reply && "id" in reply) resolve(reply);
      else reject(new Error(reply?.error ?? `${file.name} was not taken.`));
    };
    request.onerror = () => reject(new Error(`${file.name} did not get there.`));
    request.ontimeout = () => reject(new Error(`${file.name} took too long.`));
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    request.send(file);
  });
}

function replyOf(text: string): UploadReply | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return isJson(read) ? (read as unknown as UploadReply) : undefined;
  } catch {
    return undefined;
  }
}
