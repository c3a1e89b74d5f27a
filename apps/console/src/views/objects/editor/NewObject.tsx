import type { Resource } from '../../../kube/resource.js';
import { useResources } from '../../../kube/useResources.js';
import { Dialog } from '../../../parts/Dialog.js';
import { t } from '../../../texts/texts.js';
import { ManifestEditor } from './ManifestEditor.js';
import { skeletonOf } from './skeleton.js';

interface NewObjectProps {
  readonly clusterId: string;
  readonly resource: Resource;
  readonly namespace: string;
  onClose(): void;
}

/** New objects from a text: of this kind, or of any. */
export default function NewObject({ clusterId, resource, namespace, onClose }: NewObjectProps) {
  const { resources } = useResources(clusterId, '');
  return (
    <Dialog title={t.objects.createTitle(resource.kind)} isOpen width="wide" onClose={onClose}>
      <div className="new-object">
        <ManifestEditor
          clusterId={clusterId}
          resources={resources}
          namespace={namespace}
          initial={skeletonOf(resource, namespace)}
          isReadOnly={false}
          onApplied={onClose}
        />
      </div>
    </Dialog>
  );
}
