import { required, type FieldError, type Path } from '../../machinery/meta/field.js';
import { invalidEach, isQualifiedName } from '../../machinery/meta/validation.js';

/** Of StorageClasses and VolumeAttributesClasses. Models pkg/apis/storage/validation validateProvisioner. */
export const validateProvisioner = (provisioner: string | undefined, path: Path): FieldError[] =>
  provisioner
    ? invalidEach(path, provisioner.toLowerCase(), isQualifiedName(provisioner.toLowerCase()))
    : [required(path)];
