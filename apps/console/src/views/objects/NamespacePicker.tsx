import { useMemo } from 'react';
import { useTable } from '../../kube/useTable.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';

interface NamespacePickerProps {
  readonly clusterId: string;
  readonly at: string;
  readonly value: string;
  onChange(namespace: string): void;
}

/** One namespace, or all. Namespaces come and go live. */
export function NamespacePicker({ clusterId, at, value, onChange }: NamespacePickerProps) {
  const { state } = useTable({ clusterId, apiVersion: 'v1', resource: 'namespaces' }, at);
  const names = useMemo(() => {
    const known = [...state.rows.values()].map(({ name }) => name).sort();
    return value === '' || known.includes(value) ? known : [value, ...known];
  }, [state, value]);
  return (
    <select aria-label={t.objects.namespace} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{t.objects.allNamespaces}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {visible(name)}
        </option>
      ))}
    </select>
  );
}
