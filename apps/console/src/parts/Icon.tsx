/** Drawn on 16 by 16, in lines. Add what a view needs. */
const PATHS = {
  clusters: 'M2.5 5.5 8 2.5l5.5 3v5L8 13.5l-5.5-3zM2.5 5.5 8 8.5l5.5-3M8 8.5v5',
  overview: 'M2.5 2.5h4v5h-4zM9.5 2.5h4v3h-4zM9.5 8.5h4v5h-4zM2.5 10.5h4v3h-4z',
  operator: 'M8 1.8 13.5 4v4c0 3-2.2 5.2-5.5 6.2C4.7 13.2 2.5 11 2.5 8V4zM5.8 8l1.6 1.6 2.8-3',
  objects: 'M2.5 3.5h11M2.5 8h11M2.5 12.5h11M5.5 2v12',
  picture: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 5.2V2M8 14v-3.2M5.2 8H2M14 8h-3.2',
  lanes: 'M2 4h5M9 4h5M4 8h8M2 12h3M7 12h7',
  logs: 'M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3',
  terminal: 'M2 3h12v10H2zM4.5 6l2 2-2 2M8 10.5h3.5',
  metrics: 'M2.5 13.5h11M4 11V8M7 11V4M10 11V6.5M13 11V3',
  faults: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z',
  labs: 'M6 2h4M7 2v4l-3.5 6.5c-.5 1 0 1.5 1 1.5h7c1 0 1.5-.5 1-1.5L9 6V2',
  time: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M8 5v3.2l2 1.6',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.5 10.5l3 3',
  plus: 'M8 3v10M3 8h10',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3l7.5 5L5 13z',
  fork: 'M5 2v5c0 2 1 2.5 3 2.5S11 9 11 7V5M5 7v7M11 2v3M3.5 2h3M9.5 2h3',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M8 5v3h2.5',
  trash: 'M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.5 9h6l.5-9M7 7v4M9 7v4',
  close: 'M4 4l8 8M12 4l-8 8',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  contrast: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M8 2.5v11M8 5.5h4.6M8 8h5.4M8 10.5h4.6',
  user: 'M8 2.5a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2M3 13.5c.4-2.6 2.4-4 5-4s4.6 1.4 5 4',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  download: 'M8 2.5v7M5 7l3 3 3-3M3 13.5h10',
  check: 'M3 8.5l3.2 3.2L13 5',
  warning: 'M8 2.5 14 13H2zM8 6.5v3M8 11.2v.1',
  link: 'M6.5 9.5l3-3M7 4.5l1.2-1.2a2.8 2.8 0 0 1 4 4L11 8.5M9 11.5l-1.2 1.2a2.8 2.8 0 0 1-4-4L5 7.5',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
} as const;

export type IconName = keyof typeof PATHS;

/** Says nothing to a screen reader: what it stands beside does. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg className="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path
      d={PATHS[name]}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);
