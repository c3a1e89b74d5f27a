interface MeterProps {
  /** In words, with both amounts. */
  readonly label: string;
  readonly used: number;
  readonly all: number;
}

/** From here on there is little left. */
const HIGH = 0.9;

/** How much of what there is, is taken. */
export const Meter = ({ label, used, all }: MeterProps) => (
  <label className="meter">
    {label}
    <meter min={0} max={all || 1} high={(all || 1) * HIGH} value={used} />
  </label>
);
