/** Somebody's picture: a drawing for the app, initials on a colour for people. */

const COLOURS = 6;

export function Avatar({ id, name, app = false }: { id: string; name: string; app?: boolean }) {
  if (app) {
    return (
      <svg className="avatar app" viewBox="0 0 36 36" aria-hidden="true">
        <rect width="36" height="36" rx="8" />
        <path d="M9 25V12l9 8 9-8v13" />
        <circle cx="18" cy="26" r="1.8" />
      </svg>
    );
  }
  const shade = Array.from(id).reduce((sum, each) => sum + each.charCodeAt(0), 0) % COLOURS;
  return <span className={`avatar person-${shade}`} data-initials={initials(name)} aria-hidden />;
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return (
    words
      .slice(0, 2)
      .map((word) => word.charAt(0).toUpperCase())
      .join("") || "?"
  );
}
