import { useMemo, useState } from 'react';
import { useCluster } from '../../app/cluster-context.js';
import { useUrlState } from '../../app/routing/router.js';
import { systemLast } from '../../kube/order.js';
import { useTable } from '../../kube/useTable.js';
import { Button } from '../../parts/Button.js';
import { download } from '../../parts/download.js';
import { EmptyState, ErrorNotice } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { searchOf } from './log-buffer.js';
import { LogLines } from './LogLines.js';
import { parseSources, sourceText } from './sources.js';
import { useLogs } from './useLogs.js';
import './logs.css';

const SINCE = [0, 60, 300, 3_600, 86_400];
const MAX_PODS = 20;

/** Logs of several containers as one: ?pods=ns/pod,ns/pod/container. */
export default function Logs() {
  const { clusterId, at } = useCluster();
  const [chosen, setChosen] = useUrlState('pods');
  const [search, setSearch] = useUrlState('q');
  const [only, setOnly] = useUrlState('only');
  const [wrap, setWrap] = useUrlState('wrap');
  const [times, setTimes] = useUrlState('times', '1');
  const [previous, setPrevious] = useUrlState('previous');
  const [since, setSince] = useUrlState('since', '0');
  const [isFollowing, setFollowing] = useState(true);
  const logs = useLogs({ clusterId, at, chosen, previous: previous === '1', sinceSeconds: Number(since) || 0 });
  const found = useMemo(() => searchOf(search), [search]);
  const lines = useMemo(
    () =>
      found && only === '1' ? logs.buffer.lines.filter(({ text }) => found.pattern.test(text)) : logs.buffer.lines,
    [logs.buffer, found, only],
  );
  const matches = useMemo(
    () => (found ? logs.buffer.lines.reduce((n, { text }) => n + (found.pattern.test(text) ? 1 : 0), 0) : 0),
    [logs.buffer, found],
  );
  return (
    <div className="logs">
      <header className="logs-bar">
        <h1>{t.logs.title}</h1>
        <PodPicker clusterId={clusterId} at={at} chosen={chosen} onChange={setChosen} />
        <input
          type="search"
          aria-label={t.logs.search}
          placeholder={t.logs.searchHint}
          value={search}
          spellCheck={false}
          onChange={(event) => setSearch(event.target.value)}
        />
        {found && <span role="status">{t.logs.matches(matches, found.isLiteral)}</span>}
        <Check label={t.logs.only} value={only === '1'} onChange={(on) => setOnly(on ? '1' : '')} />
        <Check label={t.logs.times} value={times === '1'} onChange={(on) => setTimes(on ? '1' : '0')} />
        <Check label={t.logs.wrap} value={wrap === '1'} onChange={(on) => setWrap(on ? '1' : '')} />
        <Check label={t.logs.previous} value={previous === '1'} onChange={(on) => setPrevious(on ? '1' : '')} />
        <select aria-label={t.logs.since} value={since} onChange={(event) => setSince(event.target.value)}>
          {SINCE.map((seconds) => (
            <option key={seconds} value={seconds}>
              {t.logs.sinceSeconds(seconds)}
            </option>
          ))}
        </select>
        <Check label={t.logs.follow} value={isFollowing} onChange={setFollowing} />
        <Button
          icon="download"
          disabled={lines.length === 0}
          onClick={() => download('logs.txt', `${lines.map((l) => `${l.at} ${l.text}`).join('\n')}\n`)}
        >
          {t.logs.download}
        </Button>
      </header>
      <ErrorNotice failure={logs.failure} />
      {chosen === '' ? (
        <EmptyState icon="logs" title={t.logs.none}>
          <p>{t.logs.noneHint}</p>
        </EmptyState>
      ) : (
        <>
          <ul className="log-sources" aria-label={t.logs.sources}>
            {logs.sources.map((source, i) => (
              <li key={sourceText(source)} data-source={i % 8}>
                {visible(source.pod)}/{visible(source.container)}
                {logs.ended.has(i) && <small> {visible(logs.ended.get(i) || t.logs.ended)}</small>}
              </li>
            ))}
          </ul>
          <LogLines
            lines={lines}
            sources={logs.sources}
            pattern={found?.pattern}
            isWrapped={wrap === '1'}
            showsTimes={times === '1'}
            isFollowing={isFollowing}
            onFollow={setFollowing}
          />
          <p className="logs-foot" role="status">
            {t.logs.count(lines.length, logs.buffer.forgotten + logs.dropped)}
          </p>
        </>
      )}
    </div>
  );
}

const Check = ({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: boolean;
  onChange(on: boolean): void;
}) => (
  <label>
    <input type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
    {label}
  </label>
);

interface PodPickerProps {
  readonly clusterId: string;
  readonly at: string;
  readonly chosen: string;
  onChange(chosen: string): void;
}

/** Pods whose logs are read, live: some, out of all. */
function PodPicker({ clusterId, at, chosen, onChange }: PodPickerProps) {
  const [text, setText] = useState('');
  const [wasEmpty] = useState(chosen === '');
  const { state } = useTable({ clusterId, apiVersion: 'v1', resource: 'pods' }, at);
  const picked = useMemo(
    () => new Set(parseSources(chosen).map(({ namespace, pod }) => `${namespace}/${pod}`)),
    [chosen],
  );
  const pods = useMemo(
    () => [...state.rows.keys()].filter((key) => key.includes(text.trim())).sort(systemLast),
    [state, text],
  );
  const toggle = (key: string): void =>
    onChange(
      picked.has(key)
        ? parseSources(chosen)
            .filter(({ namespace, pod }) => `${namespace}/${pod}` !== key)
            .map(sourceText)
            .join(',')
        : [chosen, key].filter(Boolean).join(','),
    );
  return (
    // Open when the view has nothing else to show: chosen once, it is a small button.
    <details className="pod-picker" open={wasEmpty}>
      <summary>{t.logs.pods(picked.size)}</summary>
      <div>
        <input
          type="search"
          aria-label={t.logs.findPod}
          placeholder={t.logs.findPod}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <ul>
          {pods.slice(0, MAX_PODS).map((key) => (
            <li key={key}>
              <Check label={visible(key)} value={picked.has(key)} onChange={() => toggle(key)} />
            </li>
          ))}
          {pods.length > MAX_PODS && <li>{t.objects.andMore(pods.length - MAX_PODS)}</li>}
        </ul>
      </div>
    </details>
  );
}
