/** Reading what came over the wire: nothing there is trusted to have the shape it should have. */

export type Json = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object in that field; an empty one where there is none. */
export function inner(from: Json, name: string): Json {
  const value = from[name];
  return isJson(value) ? value : {};
}

/** The object in that field, if there is one. */
export function maybe(from: Json, name: string): Json | undefined {
  const value = from[name];
  return isJson(value) ? value : undefined;
}

/** The objects of a list; what is no object is left out. */
export function items(from: Json, name: string): Json[] {
  const value = from[name];
  return Array.isArray(value) ? value.filter(isJson) : [];
}

/** The strings of a list. */
export function strings(from: Json, name: string): string[] {
  const value = from[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

export function str(from: Json, name: string): string {
  const value = from[name];
  return typeof value === "string" ? value : "";
}

/** A finite number, also where it is written as a string. */
export function num(from: Json, name: string): number | undefined {
  const value = from[name];
  const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof read === "number" && Number.isFinite(read) ? read : undefined;
}

export function flag(from: Json, name: string): boolean {
  return from[name] === true;
}

/** What a text object, or a plain string in its place, says. */
export function said(from: Json, name: string): string {
  const value = from[name];
  if (typeof value === "string") return value;
  return isJson(value) ? str(value, "text") : "";
}
