import { useEffect, useMemo } from 'react';
import { useUrlState } from '../../../app/routing/router.js';
import type { TableColumn } from '../../../kube/operations.generated.js';
import { t } from '../../../texts/texts.js';
import { columnsText, keepColumns, keptColumns, parseColumns, type ColumnChoice } from './chosen-columns.js';

const NAMESPACE = 'Namespace';

interface Asked {
  /** As a link names it. */
  readonly resource: string;
  readonly columns: readonly TableColumn[];
  readonly showsNamespace: boolean;
  readonly isMeasured: boolean;
}

/** The columns that were chosen: they stand in the URL, and are those of the next visit. */
export function useColumns({ resource, columns, showsNamespace, isMeasured }: Asked): {
  readonly choices: readonly ColumnChoice[];
  readonly chosen: ReadonlySet<string> | undefined;
  choose(text: string): void;
} {
  const [text, setText] = useUrlState('cols');
  const [wide] = useUrlState('wide');
  useEffect(() => {
    // A link says what it shows; without it, it is what was chosen here before.
    const kept = keptColumns(resource, storageOf());
    if (text === '' && wide === '' && kept !== '') setText(kept);
    // Once for each table that is opened.
  }, [resource]);
  const choices = useMemo(
    () => [
      ...(showsNamespace ? [{ name: NAMESPACE, isUsual: true }] : []),
      ...columns.slice(1).map(({ name, priority }) => ({ name, isUsual: priority === 0 })),
      ...(isMeasured ? [t.objects.cpu, t.objects.memory].map((name) => ({ name, isUsual: true })) : []),
    ],
    [columns, showsNamespace, isMeasured],
  );
  const all = wide === '1' ? columnsText(choices.map(({ name }) => name)) : '';
  const chosen = useMemo(() => parseColumns(text || all), [text, all]);
  const choose = (next: string): void => {
    setText(next);
    keepColumns(resource, next, storageOf());
  };
  return { choices, chosen, choose };
}

function storageOf(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    // A frame whose storage is closed to it.
    return undefined;
  }
}
