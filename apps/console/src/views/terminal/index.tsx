import { lazy, Suspense, useState } from 'react';
import { useCluster } from '../../app/cluster-context.js';
import { useUrlState } from '../../app/router.js';
import { useTable } from '../../kube/useTable.js';
import { IconButton } from '../../parts/Button.js';
import { EmptyState, Waiting } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { parsePlaces, placesText, placeText, type Place } from './places.js';
import './terminal.css';

const Session = lazy(() => import('./Session.js'));
/** Tabs of one page: each holds a connection. */
const MAX_TABS = 12;

/** Terminals in containers and on nodes, in tabs: ?open=node/NAME,ns/pod/container. */
export default function Terminals() {
  const { clusterId, at } = useCluster();
  const [open, setOpen] = useUrlState('open');
  const [shown, setShown] = useUrlState('tab');
  const places = parsePlaces(open);
  const active = places.find((place) => placeText(place) === shown) ?? places.at(-1);
  const add = (text: string): void => {
    const known = places.some((place) => placeText(place) === text);
    if (!known) setOpen(placesText([...places, ...parsePlaces(text)].slice(-MAX_TABS)));
    setShown(text);
  };
  const close = (closed: Place): void => {
    setOpen(placesText(places.filter((place) => place !== closed)));
    setShown(undefined);
  };
  if (at !== '') return <EmptyState icon="terminal" title={t.terminal.past} />;
  return (
    <div className="terminals">
      <header className="terminals-bar">
        <h1>{t.views.terminal}</h1>
        <div role="tablist" aria-label={t.terminal.tabs}>
          {places.map((place) => (
            <button
              key={placeText(place)}
              type="button"
              role="tab"
              aria-selected={place === active}
              onClick={() => setShown(placeText(place))}
            >
              {visible(placeText(place))}
            </button>
          ))}
        </div>
        {active && (
          <IconButton icon="close" label={t.terminal.close(visible(placeText(active)))} onClick={() => close(active)} />
        )}
        <PlacePicker clusterId={clusterId} onChoose={add} />
      </header>
      {places.length === 0 && (
        <EmptyState icon="terminal" title={t.terminal.none}>
          <p>{t.terminal.noneHint}</p>
        </EmptyState>
      )}
      <Suspense fallback={<Waiting what={t.common.loading} />}>
        {places.map((place) => (
          <Session key={placeText(place)} clusterId={clusterId} place={place} isShown={place === active} />
        ))}
      </Suspense>
      <p className="hint">{t.terminal.keys}</p>
    </div>
  );
}

/** Nodes first: the control plane's has kubectl for this cluster. */
function PlacePicker({ clusterId, onChoose }: { readonly clusterId: string; onChoose(place: string): void }) {
  const [value, setValue] = useState('');
  const { state: nodes } = useTable({ clusterId, apiVersion: 'v1', resource: 'nodes' }, '');
  const { state: pods } = useTable({ clusterId, apiVersion: 'v1', resource: 'pods' }, '');
  const names = [...nodes.rows.values()].map(({ name, cells }) => ({ name, roles: String(cells[2] ?? '') }));
  return (
    <select
      aria-label={t.terminal.open}
      value={value}
      onChange={(event) => {
        setValue('');
        if (event.target.value) onChoose(event.target.value);
      }}
    >
      <option value="">{t.terminal.open}</option>
      <optgroup label={t.terminal.nodes}>
        {names.map(({ name, roles }) => (
          <option key={name} value={`node/${name}`}>
            {visible(name)} {roles.includes('control-plane') ? t.terminal.withKubectl : ''}
          </option>
        ))}
      </optgroup>
      <optgroup label={t.terminal.pods}>
        {[...pods.rows.keys()].sort().map((key) => (
          <option key={key} value={key}>
            {visible(key)}
          </option>
        ))}
      </optgroup>
    </select>
  );
}
