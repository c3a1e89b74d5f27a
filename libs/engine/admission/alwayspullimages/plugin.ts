import type { Container, Pod } from '../../api/core_v1.js';
import type { AdmissionPlugin } from '../../runtime/admission.js';

/**
 * Makes every pod pull its images anew, so that nobody uses a private image of others. Models
 * plugin/pkg/admission/alwayspullimages.
 */
export const plugin: AdmissionPlugin = {
  name: 'AlwaysPullImages',
  isOff: true,
  resources: ['pods'],
  mutate({ operation, subresource, object, old }) {
    if (subresource !== '' || (operation !== 'CREATE' && operation !== 'UPDATE')) return;
    const pod = object as Pod;
    // An update that brings no new image is none of its business.
    if (old && imagesOf(pod).every((image) => imagesOf(old as Pod).includes(image))) return;
    const { containers, initContainers, ephemeralContainers } = pod.spec;
    pod.spec = {
      ...pod.spec,
      containers: containers.map(pullAlways),
      ...(initContainers ? { initContainers: initContainers.map(pullAlways) } : {}),
      ...(ephemeralContainers ? { ephemeralContainers: ephemeralContainers.map(pullAlways) } : {}),
    };
  },
};

const pullAlways = <T extends Pick<Container, 'imagePullPolicy'>>(container: T): T => ({
  ...container,
  imagePullPolicy: 'Always',
});

const imagesOf = ({
  spec: { containers, initContainers = [], ephemeralContainers = [] },
}: Pod): (string | undefined)[] => [...containers, ...initContainers, ...ephemeralContainers].map(({ image }) => image);
