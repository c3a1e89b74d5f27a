import { useEffect, useRef, useState, type FormEvent } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { request, subscribe } from '../../api/graphql.js';
import { t } from '../../texts/texts.js';
import { Button } from '../Button.js';
import { visible } from '../text.js';
import { advanceOf } from './moments.js';
import { ADVANCE_CLOCK, FOLLOW_ADVANCE, type Advance } from './operations.generated.js';

interface AdvanceProps {
  readonly clusterId: string;
  onSaid(text: string): void;
  onFailure(failure: Failure | undefined): void;
  onOver(): void;
}

/** Lets the time go on by a duration, such as 10m, or until a condition holds; and tells how far it has got. */
export function AdvanceForm({ clusterId, onSaid, onFailure, onOver }: AdvanceProps) {
  const [text, setText] = useState('');
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), [clusterId]);
  const tell = ({ phase, progress, message }: Advance): void => {
    const isOver = phase === 'Succeeded' || phase === 'Failed';
    onSaid(
      isOver ? t.time.advanced(phase === 'Succeeded', visible(message ?? '')) : t.time.advancing(Math.floor(progress)),
    );
  };
  const follow = ({ name }: Advance): void => {
    stop.current?.();
    stop.current = subscribe(FOLLOW_ADVANCE, () => ({ id: clusterId, name }), {
      next: ({ advance }) => tell(advance),
      error: onFailure,
      complete: onOver,
    });
  };
  const advance = (event: FormEvent): void => {
    event.preventDefault();
    request(ADVANCE_CLOCK, { id: clusterId, advance: advanceOf(text) }).then(
      ({ advanceClock }) => {
        onFailure(undefined);
        tell(advanceClock);
        follow(advanceClock);
      },
      (error: unknown) => onFailure(toFailure(error)),
    );
  };
  return (
    <form onSubmit={advance}>
      <input
        aria-label={`${t.time.advance}: ${t.time.byHint} ${t.time.untilHint}`}
        title={t.time.untilHint}
        placeholder="10m"
        value={text}
        size={8}
        required
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit">{t.time.advance}</Button>
    </form>
  );
}
