import { useCluster } from '../../app/cluster-context.js';
import { t } from '../../texts/texts.js';
import { Button } from '../Button.js';
import { ErrorNotice } from '../Notice.js';
import { useClock } from './use-clock.js';

const RATES = [0.1, 0.25, 0.5, 1, 2, 5, 10, 60, 600];

/** Pauses the cluster, lets it go on, slower or faster. */
export function ClockControls() {
  const { clusterId } = useCluster();
  const { clock, failure, update } = useClock(clusterId);
  if (!clock) return <ErrorNotice failure={failure} />;
  const { paused, rate } = clock;
  const rates = RATES.includes(rate) ? RATES : [...RATES, rate].sort((a, b) => a - b);
  return (
    <>
      <Button icon={paused ? 'play' : 'pause'} onClick={() => update({ paused: !paused })}>
        {paused ? t.time.resumeCluster : t.time.pauseCluster}
      </Button>
      <select aria-label={t.time.speed} value={rate} onChange={(event) => update({ rate: Number(event.target.value) })}>
        {rates.map((one) => (
          <option key={one} value={one}>
            {t.time.speeds(one)}
          </option>
        ))}
      </select>
      <ErrorNotice failure={failure} />
    </>
  );
}
