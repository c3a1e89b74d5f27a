import { useId, useMemo, useState, type KeyboardEvent } from 'react';
import { groupResources, resourceName, type Resource } from '../../kube/resource.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';

interface KindPickerProps {
  readonly resources: readonly Resource[];
  readonly chosen: Resource | undefined;
  onChoose(resource: Resource): void;
}

/** All kinds by area, found by any of their names. Where there is little room they show while one looks for one. */
export function KindPicker({ resources, chosen, onChoose }: KindPickerProps) {
  const [search, setSearch] = useState('');
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const groups = useMemo(() => groupResources(resources, search), [resources, search]);
  const choose = (resource: Resource): void => {
    setOpen(false);
    onChoose(resource);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const first = groups[0]?.resources[0];
    if (event.key === 'Enter' && first) choose(first);
    if (event.key === 'Escape') setOpen(false);
  };
  return (
    <nav
      className={isOpen ? 'kinds is-open' : 'kinds'}
      aria-label={t.objects.kinds}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <input
        type="search"
        aria-label={t.objects.searchKinds}
        placeholder={t.objects.searchKinds}
        value={search}
        onFocus={() => setOpen(true)}
        onChange={(event) => {
          setSearch(event.target.value);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="kinds-list">
        {groups.map(({ area, resources: here }) => (
          <section key={area} aria-labelledby={`${id}-${area}`}>
            <h2 id={`${id}-${area}`}>{t.objects.areas[area]}</h2>
            <ul>
              {here.map((resource) => (
                <li key={resourceName(resource)}>
                  <button
                    type="button"
                    aria-current={resource === chosen ? 'page' : undefined}
                    title={resourceName(resource)}
                    onClick={() => choose(resource)}
                  >
                    {visible(resource.kind)}
                    {area === 'custom' && <small>{visible(resource.group)}</small>}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {groups.length === 0 && resources.length > 0 && <p>{t.objects.noKind}</p>}
      </div>
    </nav>
  );
}
