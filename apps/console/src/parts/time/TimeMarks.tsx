import { useId, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { t } from '../../texts/texts.js';
import { visible } from '../text.js';
import { nearestMark, type Mark } from './marks.js';
import { formatTime } from './moments.js';

interface TimeMarksProps {
  readonly marks: readonly Mark[];
  /** Virtual ms of the bar's ends. */
  readonly from: number;
  readonly to: number;
  onChoose(mark: Mark): void;
}

const STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 },
  ...{ Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY },
};

/**
 * What happened, above the bar: one control, whose arrow keys go from mark to mark. A mark is thin, and a finger is
 * not: the one that is nearest to it is meant.
 */
export function TimeMarks({ marks, from, to, onChoose }: TimeMarksProps) {
  const id = useId();
  const [chosen, setChosen] = useState(Number.POSITIVE_INFINITY);
  if (marks.length === 0) return null;
  const current = Math.min(chosen, marks.length - 1);
  const point = ({ clientX, currentTarget }: MouseEvent<HTMLDivElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const nearest = nearestMark(marks, from + ((clientX - left) / width) * (to - from));
    setChosen(nearest);
    onChoose(marks[nearest]!);
  };
  const act = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = STEPS[event.key];
    if (step === undefined && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (step === undefined) onChoose(marks[current]!);
    else setChosen(Math.min(marks.length - 1, Math.max(0, current + step)));
  };
  return (
    <div
      className="time-marks"
      role="listbox"
      aria-orientation="horizontal"
      aria-label={t.time.allMarks}
      aria-activedescendant={`${id}-${current}`}
      tabIndex={0}
      onClick={point}
      onKeyDown={act}
    >
      {marks.map(({ kind, at, text, more }, i) => {
        const share = (at - from) / (to - from);
        const label = t.time.mark(t.time.marks[kind], visible(text), formatTime(at), more);
        return (
          <span
            key={i}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === current}
            className={`time-mark ${kind} ${share > 0.5 ? 'is-late' : ''}`}
            style={{ left: `${share * 100}%` }}
            title={label}
            aria-label={label}
          />
        );
      })}
    </div>
  );
}
