import { useState } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { clusterHref } from '../../app/routing/route.js';
import { Link, navigate } from '../../app/routing/router.js';
import { Button } from '../../parts/Button.js';
import { EmptyState, ErrorNotice } from '../../parts/Notice.js';
import { t } from '../../texts/texts.js';
import { createClusters } from './actions.js';
import { EMPTY_DRAFT, proposeName, toBatch } from './draft.js';

/** What somebody without a cluster sees: one click makes one as most want it, and shows it. */
export function EmptyList({ isWriter }: { readonly isWriter: boolean }) {
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const make = async (): Promise<void> => {
    setBusy(true);
    try {
      const { items } = await createClusters(toBatch({ ...EMPTY_DRAFT, name: proposeName(new Set(), Math.random()) }));
      navigate(clusterHref(items[0]!.id));
    } catch (error) {
      setFailure(toFailure(error));
      setBusy(false);
    }
  };
  return (
    <EmptyState icon="clusters" title={t.clusters.none}>
      <p>{t.clusters.noneHint}</p>
      <ErrorNotice failure={failure} />
      {isWriter && (
        <Button tone="main" icon="plus" disabled={isBusy} onClick={() => void make()}>
          {t.clusters.first}
        </Button>
      )}
      <Link href="/labs">{t.clusters.orLab}</Link>
    </EmptyState>
  );
}
