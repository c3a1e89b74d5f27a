/** Files of one volume that would lie on or in each other. Models warningsForOverlappingVirtualPaths of pkg/api/pod. */
import type { Volume, VolumeProjection } from '../../../../../api/core_v1.js';
import { trimRight } from '../../../../../machinery/text/strings.js';

interface Place {
  readonly path: string;
  readonly source: string;
}

export function warningsForOverlappingVirtualPaths(volumes: readonly Volume[]): string[] {
  return volumes.flatMap((volume) => {
    const { configMap, secret, downwardAPI, projected } = volume;
    const warn = (kind: string, overlaps: readonly string[]): string[] =>
      overlaps.map((overlap) => `volume ${JSON.stringify(volume.name)} (${kind}): overlapping paths: ${overlap}`);
    return [
      ...(configMap?.items
        ? warn(`ConfigMap ${JSON.stringify(configMap.name ?? '')}`, overlapsOf(placeItems(configMap.items, '')))
        : []),
      ...(secret?.items
        ? warn(`Secret ${JSON.stringify(secret.secretName ?? '')}`, overlapsOf(placeItems(secret.items, '')))
        : []),
      ...(downwardAPI?.items ? warn('DownwardAPI', overlapsOf(placeItems(downwardAPI.items, ''))) : []),
      ...(projected?.sources?.filter((s) => Object.keys(s).length === 0) ?? []).map(
        () => `volume ${JSON.stringify(volume.name)} (Projected) has no sources provided`,
      ),
      ...(projected ? warn('Projected', overlapsOf((projected.sources ?? []).flatMap(placesOf))) : []),
    ];
  });
}

const placeItems = (items: readonly { readonly path: string }[], source: string): Place[] =>
  items.map(({ path }) => ({ path: path ?? '', source }));

function placesOf({ configMap, secret, downwardAPI, serviceAccountToken: token }: VolumeProjection): Place[] {
  if (configMap?.items) return placeItems(configMap.items, `ConfigMap ${JSON.stringify(configMap.name ?? '')}`);
  if (secret?.items) return placeItems(secret.items, `Secret ${JSON.stringify(secret.name ?? '')}`);
  if (downwardAPI?.items) return placeItems(downwardAPI.items, 'DownwardAPI');
  return token ? [{ path: token.path ?? '', source: 'ServiceAccountToken' }] : [];
}

function overlapsOf(places: readonly Place[]): string[] {
  const seen: Place[] = [];
  return places.flatMap(({ path, source }) => {
    const place = { path: trimRight(path, '/'), source };
    const hits = place.path
      ? seen.filter(
          (other) =>
            other.path &&
            (`${other.path}/`.startsWith(`${place.path}/`) || `${place.path}/`.startsWith(`${other.path}/`)),
        )
      : [];
    seen.push(place);
    return hits.map((other) => `${formatPlace(place)} with ${formatPlace(other)}`);
  });
}

const formatPlace = ({ path, source }: Place): string =>
  source ? `${JSON.stringify(path)} (${source})` : JSON.stringify(path);
