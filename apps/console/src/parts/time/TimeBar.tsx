import { useEffect, useMemo, useState } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { request, useQuery } from '../../api/graphql.js';
import { useCluster } from '../../app/cluster-context.js';
import { Link, useClusterHref, useMoment } from '../../app/routing/router.js';
import { t } from '../../texts/texts.js';
import { Button, IconButton } from '../Button.js';
import { ErrorNotice } from '../Notice.js';
import { visible } from '../text.js';
import { AdvanceForm } from './AdvanceForm.js';
import { ClockControls } from './ClockControls.js';
import { marksOf } from './marks.js';
import { formatTime, momentAt, playOn, timeOfMoment } from './moments.js';
import { useSettled } from './use-settled.js';
import { FORK_CLUSTER, READ_HISTORY } from './operations.generated.js';
import { TimeMarks } from './TimeMarks.js';
import { useMarks } from './use-marks.js';
import { useTimeOf } from './use-time-of.js';
import './time.css';

const READ_MS = 15_000;
const STEPS = 1_000;
/** The past is played so fast: virtual seconds in each real one. */
const PLAY_RATES = [1, 5, 30, 300];
/** All that is retained is shown; an hour when the log does not tell how much that is, and a minute at least. */
const SPAN_MS = 3_600_000;
const LEAST_SPAN_MS = 60_000;

/** The time of a cluster: what it was, how it runs, and forks. The page shows the moment that is chosen here. */
export function TimeBar() {
  const { clusterId, cluster, at } = useCluster();
  const [, setAt] = useMoment();
  const href = useClusterHref(clusterId);
  const history = useQuery(READ_HISTORY, { id: clusterId });
  const marks = useMarks(clusterId);
  const [isPlaying, setPlaying] = useState(false);
  const [playRate, setPlayRate] = useState(PLAY_RATES[1]!);
  const [said, setSaid] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    const timer = setInterval(history.refetch, READ_MS);
    return () => clearInterval(timer);
    // It goes by the latest state.
  }, [clusterId]);
  const [dragged, drag] = useSettled((moment: string) => setAt(moment || undefined));
  const to = Date.parse(history.data?.history.time ?? '') || 0;
  const oldest = Date.parse(history.data?.history.from ?? '') || to - SPAN_MS;
  const from = Math.min(oldest, to - LEAST_SPAN_MS);
  const shown = useMemo(() => marksOf(marks.recorded, from, to), [marks.recorded, from, to]);
  const time = useTimeOf(clusterId, at, to);
  useEffect(() => {
    if (!isPlaying || to === 0) return;
    const timer = setInterval(() => {
      const next = playOn(time, playRate * 1_000, to);
      setAt(next || undefined);
      if (next === '') setPlaying(false);
    }, 1_000);
    return () => clearInterval(timer);
  }, [isPlaying, playRate, time, to, setAt]);
  if (to === 0) return null;
  const pointed = dragged ?? at;
  const now = (dragged === undefined ? time : timeOfMoment(dragged, to)) ?? to;
  const share = Math.min(1, Math.max(0, (now - from) / (to - from)));
  const fork = (): void =>
    void request(FORK_CLUSTER, {
      id: clusterId,
      input: { name: `${cluster.name.slice(0, 55)}-fork`, ...(at ? { at } : {}) },
    }).then(
      ({ forkCluster: [made] }) => {
        setFailure(undefined);
        setSaid(t.time.forked(visible(made?.name ?? '')));
      },
      (error: unknown) => setFailure(toFailure(error)),
    );
  return (
    <section className={isOpen ? 'time-bar is-open' : 'time-bar'} aria-label={t.time.title}>
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? t.time.pausePlay : t.time.play}
        disabled={at === ''}
        onClick={() => setPlaying(!isPlaying)}
      />
      <div className="time-track">
        <TimeMarks marks={shown} from={from} to={to} onChoose={(mark) => setAt(new Date(mark.at).toISOString())} />
        <input
          type="range"
          min={0}
          max={STEPS}
          value={Math.round(share * STEPS)}
          aria-label={t.time.slider}
          aria-valuetext={pointed === '' ? t.time.live : new Date(now).toISOString()}
          onChange={(event) => drag(momentAt(Number(event.target.value) / STEPS, from, to))}
        />
      </div>
      <output>{pointed === '' ? t.time.live : formatTime(now)}</output>
      <IconButton
        icon="more"
        label={t.time.more}
        className="time-more"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {at === '' ? (
        <ClockControls />
      ) : (
        <>
          <select
            aria-label={t.time.playSpeed}
            value={playRate}
            onChange={(event) => setPlayRate(Number(event.target.value))}
          >
            {PLAY_RATES.map((rate) => (
              <option key={rate} value={rate}>
                {t.time.speeds(rate)}
              </option>
            ))}
          </select>
          <Link href={href('compare')}>{t.time.compare}</Link>
        </>
      )}
      {at === '' && (
        <AdvanceForm clusterId={clusterId} onSaid={setSaid} onFailure={setFailure} onOver={history.refetch} />
      )}
      <Button icon="fork" onClick={fork}>
        {t.time.fork}
      </Button>
      <span role="status">{said}</span>
      <ErrorNotice failure={failure ?? marks.failure} />
    </section>
  );
}
