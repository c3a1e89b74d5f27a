import { Tabs } from 'radix-ui';
import { Suspense, useState } from 'react';
import { useCluster } from '../../app/cluster-context.js';
import { lazyPart } from '../../app/routing/load-patiently.js';
import { useUrlState } from '../../app/routing/router.js';
import { systemLast } from '../../kube/order.js';
import { useTable } from '../../kube/useTable.js';
import { Button, IconButton } from '../../parts/Button.js';
import { EmptyState, Waiting } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { parsePlaces, placesText, placeText, type Place } from './places.js';
import './terminal.css';

const Session = lazyPart(() => import('./Session.js'), new URLSearchParams(location.search).has('open'));
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
    // Radix' tabs: arrow keys, and which panel is whose. All panels stay: a shell lives while its tab is not shown.
    <Tabs.Root className="terminals" value={active ? placeText(active) : ''} onValueChange={setShown}>
      <header className="terminals-bar">
        <h1>{t.views.terminal}</h1>
        {places.length > 0 && (
          <Tabs.List aria-label={t.terminal.tabs}>
            {places.map((place) => (
              <Tabs.Trigger key={placeText(place)} value={placeText(place)}>
                {visible(placeText(place))}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
        )}
        {active && (
          <IconButton icon="close" label={t.terminal.close(visible(placeText(active)))} onClick={() => close(active)} />
        )}
        <PlacePicker clusterId={clusterId} onChoose={add} />
      </header>
      {places.length === 0 && (
        <EmptyState icon="terminal" title={t.terminal.none}>
          <p>{t.terminal.noneHint}</p>
          <Button tone="main" icon="terminal" onClick={() => add('node/control-plane')}>
            {t.terminal.first}
          </Button>
        </EmptyState>
      )}
      <Suspense fallback={<Waiting what={t.common.loading} />}>
        {places.map((place) => (
          <Tabs.Content
            key={placeText(place)}
            value={placeText(place)}
            forceMount
            hidden={place !== active}
            tabIndex={-1}
            className="terminal-panel"
          >
            <Session clusterId={clusterId} place={place} isShown={place === active} />
          </Tabs.Content>
        ))}
      </Suspense>
      {places.length > 0 && <p className="hint">{t.terminal.keys}</p>}
    </Tabs.Root>
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
        {[...pods.rows.keys()].sort(systemLast).map((key) => (
          <option key={key} value={key}>
            {visible(key)}
          </option>
        ))}
      </optgroup>
    </select>
  );
}
