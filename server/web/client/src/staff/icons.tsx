// The icons of the pages for staff: one path each on a 24 by 24 grid, in the colour of their text.

const PATHS = {
  pending: "M12 2 22 12 12 22 2 12Zm0 2.8L4.8 12l7.2 7.2 7.2-7.2ZM11 8h2v3.6l2.4 1.6-1 1.6L11 12.6Z",
  done: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20Zm-1.4 14.6 7-7-1.6-1.6-5.4 5.4-2.6-2.6L6.4 12.4Z",
  paid: "M4 2h16a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2Zm6.6 14.6 7-7L16 8l-5.4 5.4L8 10.8l-1.6 1.6Z",
  rejected:
    "M8 2h8l6 6v8l-6 6H8l-6-6V8Zm.2 12.4 1.4 1.4L12 13.4l2.4 2.4 1.4-1.4L13.4 12l2.4-2.4-1.4-1.4L12 10.6 9.6 8.2 8.2 9.6 10.6 12Z",
  locked:
    "M7 10V7a5 5 0 0 1 10 0v3h1.5a1.5 1.5 0 0 1 1.5 1.5v9a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 20.5v-9A1.5 1.5 0 0 1 5.5 10Zm2.2 0h5.6V7a2.8 2.8 0 0 0-5.6 0Z",
  open: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18Zm0 2.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Z",
  settling: "M12 2 22 12 12 22 2 12Z",
  lost: "M2 8.5C7.5 3.2 16.5 3.2 22 8.5L20.2 10.3C15.7 6 8.3 6 3.8 10.3ZM5.6 12.1C9.2 8.7 14.8 8.7 18.4 12.1L16.6 13.9C14 11.5 10 11.5 7.4 13.9ZM12 15.8 14.3 18.1 12 20.4 9.7 18.1ZM3.4 2.6 5 1.2 21.6 19.8 20 21.2Z",
  disabled: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18Zm0 2.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM8 11h8v2H8Z",
  people:
    "M8.5 4a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7Zm8 1a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM2 20v-2.5C2 14.5 4.8 13 8.5 13s6.5 1.5 6.5 4.5V20Zm15 0v-2.5c0-1.7-.7-3-1.8-3.9q.6-.1 1.3-.1c3.1 0 5.5 1.3 5.5 3.9V20Z",
  error: "M12 2 23 21H1Zm-1.2 6.5.4 6h1.6l.4-6Zm1.2 7.7a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8Z",
  chip: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20Zm0 5.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM11 3.2h2v2.6h-2Zm0 15h2v2.6h-2ZM3.2 11h2.6v2H3.2Zm15 0h2.6v2h-2.6Z",
  chips:
    "M12 3c4.4 0 8 1.6 8 3.5S16.4 10 12 10 4 8.4 4 6.5 7.6 3 12 3Zm-8 6.2c1.4 1.6 4.5 2.6 8 2.6s6.6-1 8-2.6v2.5c0 1.9-3.6 3.5-8 3.5s-8-1.6-8-3.5Zm0 5.3c1.4 1.6 4.5 2.6 8 2.6s6.6-1 8-2.6v3C20 19.4 16.4 21 12 21s-8-1.6-8-3.5Z",
  short: "M3 3h2.4v15.6H21V21H3Zm4.5 4.5 1.7-1.7 3.8 3.8 2-2 5 5V17h-5.5l2-2-3.5-3.5-2 2Z",
  back: "m14.5 4.5 1.9 1.9L10.8 12l5.6 5.6-1.9 1.9L7 12Z",
  print: "M7 3h10v4H7Zm-3 5h16a2 2 0 0 1 2 2v7h-4v4H6v-4H2v-7a2 2 0 0 1 2-2Zm4 7v4h8v-4Z",
  sound:
    "M3 9h4l5-4.5v15L7 15H3Zm12-1.5q3.5 4.5 0 9l-1.4-1.3q2.3-3.2 0-6.4ZM18 4.5q6 7.5 0 15l-1.5-1.3q4.8-6.2 0-12.4Z",
  muted: "M3 9h4l5-4.5v15L7 15H3Zm11.5 1 1.3-1.3 2 2 2-2L21 10l-2 2 2 2-1.3 1.3-2-2-2 2-1.3-1.3 2-2Z",
  awake:
    "M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10ZM11 1h2v4h-2Zm0 18h2v4h-2ZM1 11h4v2H1Zm18 0h4v2h-4ZM4 5.4 5.4 4l2.8 2.8-1.4 1.4Zm11.8 11.8 1.4-1.4 2.8 2.8-1.4 1.4ZM4 18.6l2.8-2.8 1.4 1.4L5.4 20ZM15.8 6.8 18.6 4 20 5.4l-2.8 2.8Z",
} as const;

export type IconName = keyof typeof PATHS;

/** An icon. It is hidden from screen readers: a word stands beside it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 24 24" fill="currentColor" fill-rule="evenodd" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

const SUITS: Readonly<Record<string, string>> = {
  s: "M12 2C9 7 3 9.5 3 14.5a4.5 4.5 0 0 0 7.8 3Q10.5 20 8 22h8q-2.5-2-2.8-4.5a4.5 4.5 0 0 0 7.8-3C21 9.5 15 7 12 2Z",
  h: "M12 21.5C6 16.5 2 12.5 2 8.2A5.2 5.2 0 0 1 12 6a5.2 5.2 0 0 1 10 2.2c0 4.3-4 8.3-10 13.3Z",
  d: "M12 1.5 20 12l-8 10.5L4 12Z",
  c: "M12 2a4.6 4.6 0 0 1 3.6 7.5 4.6 4.6 0 1 1-2.4 7.9Q13.6 20 16 22H8q2.4-2 2.8-4.6a4.6 4.6 0 1 1-2.4-7.9A4.6 4.6 0 0 1 12 2Z",
};

/** A suit of cards: s, h, d or c. */
export function SuitIcon({ suit, className }: { suit: string; className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="currentColor" class={className} aria-hidden="true">
      <path d={SUITS[suit] ?? ""} />
    </svg>
  );
}
