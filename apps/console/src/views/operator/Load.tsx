import { useEffect, useRef, useState } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { rest } from '../../api/rest.js';
import { ErrorNotice } from '../../parts/Notice.js';
import { t } from '../../texts/texts.js';
import { FIGURES, lineOf, sampleOf, type Figure, type Sample, type ServiceLoad } from './load.js';

/** Real ms between two readings: metrics are read, they tell nobody. */
const INTERVAL_MS = 2_000;
const MAX_SAMPLES = 90;
const WIDTH = 180;
const HEIGHT = 40;

/** What the service has to do, for the last three minutes that one looks. A page in the background does not ask. */
export function Load() {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const [failure, setFailure] = useState<Failure>();
  const before = useRef<ServiceLoad>(undefined);
  useEffect(() => {
    let isLeft = false;
    const ask = (): void => {
      if (document.hidden) return;
      rest<ServiceLoad>('GET', '/v1/operator/load').then(
        (now) => {
          if (isLeft) return;
          setFailure(undefined);
          const sample = before.current && sampleOf(before.current, now);
          before.current = now;
          if (sample) setSamples((last) => [...last, sample].slice(-MAX_SAMPLES));
        },
        (error: unknown) => isLeft || setFailure(toFailure(error)),
      );
    };
    const timer = setInterval(ask, INTERVAL_MS);
    ask();
    return () => {
      isLeft = true;
      clearInterval(timer);
    };
  }, []);
  return (
    <section aria-label={t.operator.load} className="load">
      <h2>{t.operator.load}</h2>
      <ErrorNotice failure={failure} />
      {samples.length === 0 && !failure && <p className="quiet">{t.operator.waitingForLoad}</p>}
      {samples.length > 0 && (
        <div className="load-charts">
          {FIGURES.map((figure) => (
            <Chart key={figure} figure={figure} values={samples.map((sample) => sample[figure])} />
          ))}
        </div>
      )}
    </section>
  );
}

function Chart({ figure, values }: { readonly figure: Figure; readonly values: readonly number[] }) {
  const last = values.at(-1)!;
  const now = t.operator.figures[figure](last >= 10 || Number.isInteger(last) ? last.toFixed(0) : last.toFixed(1));
  return (
    <figure>
      <figcaption>
        {t.operator.names[figure]} <strong>{now}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${t.operator.names[figure]}: ${now}`}
        preserveAspectRatio="none"
      >
        <polyline points={lineOf(values, MAX_SAMPLES, WIDTH, HEIGHT)} />
      </svg>
    </figure>
  );
}
