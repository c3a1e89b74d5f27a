import { X509Certificate } from 'node:crypto';
import type { CertificateSigningRequest, CertificateSigningRequestSpec } from '../../engine/api/certificates_v1.js';
import { CertificateSigningRequests } from '../../engine/kinds/index.js';
import { REQUESTS } from '../../engine/machinery/crypto/x509/testing.js';
import type { Controller } from '../../engine/runtime/controller.js';
import { ControllerBed } from './controller-bed.js';

const KEY = { namespace: '', name: 'csr' };

/** A bed with one CertificateSigningRequest, named 'csr', that kubernetes-admin has created. */
export class CertificateBed extends ControllerBed {
  constructor(
    controllers: readonly Controller[],
    request: keyof typeof REQUESTS,
    spec: Partial<CertificateSigningRequestSpec> = {},
  ) {
    super({ controllers });
    this.request(KEY.name, request, spec);
    this.settle();
  }

  request(name: string, request: keyof typeof REQUESTS, spec: Partial<CertificateSigningRequestSpec>): void {
    this.create(CertificateSigningRequests, name, {
      spec: {
        request: Buffer.from(REQUESTS[request]).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth'],
        ...spec,
      },
      status: {},
    });
  }

  get csr(): CertificateSigningRequest | undefined {
    return this.client.get(CertificateSigningRequests, KEY);
  }

  decide(type: 'Approved' | 'Denied'): this {
    this.client.subresource(CertificateSigningRequests, KEY, 'approval', {
      ...this.csr!,
      status: { conditions: [{ type, status: 'True' }] },
    });
    return this.settle();
  }

  get conditions(): (readonly [string, string | undefined])[] {
    return (this.csr?.status.conditions ?? []).map((c) => [c.type, c.message] as const);
  }

  get certificate(): X509Certificate | undefined {
    const { certificate } = this.csr!.status;
    return certificate ? new X509Certificate(Buffer.from(certificate, 'base64')) : undefined;
  }
}
