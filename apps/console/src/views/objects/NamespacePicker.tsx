import { useMemo } from 'react';
import { systemLast } from '../../kube/order.js';
import { useTable } from '../../kube/useTable.js';
import { Button } from '../../parts/Button.js';
import { CheckMenu } from '../../parts/menu/CheckMenu.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';

/** Each is followed by itself. */
const MAX_CHOSEN = 10;

interface NamespacePickerProps {
  readonly clusterId: string;
  readonly at: string;
  /** None are all. */
  readonly value: readonly string[];
  onChange(namespaces: readonly string[]): void;
}

/** One namespace, several, or all. Namespaces come and go live; one's own come first. */
export function NamespacePicker({ clusterId, at, value, onChange }: NamespacePickerProps) {
  const { state } = useTable({ clusterId, apiVersion: 'v1', resource: 'namespaces' }, at);
  const names = useMemo(() => {
    const known = [...state.rows.values()].map(({ name }) => name);
    return [...new Set([...known, ...value])].sort((a, b) => systemLast(`${a}/`, `${b}/`));
  }, [state, value]);
  const toggle = (name: string): void =>
    onChange(value.includes(name) ? value.filter((one) => one !== name) : [...value, name]);
  const chosen = value.length === 0 ? t.objects.allNamespaces : value.map(visible).join(', ');
  return (
    <CheckMenu
      trigger={
        <Button className="namespace-picker" aria-label={t.objects.namespaceIs(chosen)} title={chosen}>
          <span>{value.length > 2 ? t.objects.namespaces(value.length) : chosen}</span>
        </Button>
      }
      firsts={[{ title: t.objects.allNamespaces, isChecked: value.length === 0, run: () => onChange([]) }]}
      items={names.map((name) => ({
        id: name,
        title: visible(name),
        isChecked: value.includes(name),
        isDisabled: value.length >= MAX_CHOSEN && !value.includes(name),
      }))}
      onToggle={toggle}
    />
  );
}
