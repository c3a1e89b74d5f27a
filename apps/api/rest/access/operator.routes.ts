import { Body, Controller, Delete, Get, Header, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { ClusterHost } from '@terrarium/host';
import { Registry } from 'prom-client';
import { Invalidations, nouns, OperatorClusters, Tenants, TokenSigner } from '@terrarium/platform';
import { readLoad } from '../operator-load.js';

const FORBIDDEN = { description: 'The key is not the operator’s.' };
const TENANT = { standardSchema: nouns.Tenant, description: 'The tenant.' };

/** /v1/operator/tenants: for the operator's key only; it reaches nothing inside of a tenant. */
@Controller('v1/operator/tenants')
@ApiForbiddenResponse(FORBIDDEN)
export class OperatorTenantsRoutes {
  constructor(
    private readonly tenants: Tenants,
    private readonly host: ClusterHost,
  ) {}

  @Post()
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'createTenant', summary: 'Make a tenant with a first user and its key' })
  @ApiCreatedResponse({ standardSchema: nouns.CreatedTenant, description: 'The tenant; its key is shown this once.' })
  @ApiConflictResponse({ description: 'There is a tenant of this name already.' })
  create(@Body({ schema: nouns.NewTenant }) tenant: nouns.NewTenant): Promise<nouns.CreatedTenant> {
    return this.tenants.create(tenant);
  }

  @Get()
  @ApiOperation({ operationId: 'listTenants', summary: 'List the tenants, oldest first' })
  @ApiOkResponse({ standardSchema: nouns.TenantList, description: 'One page.' })
  list(@Query({ schema: nouns.Page }) page: nouns.Page): Promise<nouns.TenantList> {
    return this.tenants.list(page);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getTenant', summary: 'Read a tenant, with what it uses' })
  @ApiOkResponse({ standardSchema: nouns.TenantWithUsage, description: 'The tenant.' })
  get(@Param('id') id: string): Promise<nouns.TenantWithUsage> {
    return this.tenants.get(id);
  }

  @Patch(':id/limits')
  @ApiOperation({ operationId: 'limitTenant', summary: 'Change limits of a tenant; what it uses is not taken away' })
  @ApiOkResponse(TENANT)
  limit(
    @Param('id') id: string,
    @Body({ schema: nouns.LimitsPatch }) limits: nouns.LimitsPatch,
  ): Promise<nouns.Tenant> {
    return this.tenants.limit(id, limits);
  }

  @Post(':id/suspend')
  @HttpCode(200)
  @ApiOperation({ operationId: 'suspendTenant', summary: 'Refuse a tenant’s requests; its clusters stand still' })
  @ApiOkResponse(TENANT)
  suspend(@Param('id') id: string): Promise<nouns.Tenant> {
    return this.tenants.suspend(id);
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiOperation({ operationId: 'resumeTenant', summary: 'Let a suspended tenant go on' })
  @ApiOkResponse(TENANT)
  resume(@Param('id') id: string): Promise<nouns.Tenant> {
    return this.tenants.resume(id);
  }

  @Post(':id/keys')
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'createTenantKey', summary: 'Make a key for a tenant that has lost its own' })
  @ApiCreatedResponse({ standardSchema: nouns.TenantKey, description: 'The key, which is shown this once.' })
  @ApiConflictResponse({ description: 'The tenant has no user that is not disabled.' })
  createKey(@Param('id') id: string): Promise<nouns.TenantKey> {
    return this.tenants.createKey(id);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteTenant', summary: 'Delete a tenant with its clusters, users, keys and tokens' })
  @ApiNoContentResponse({ description: 'There is none of this id any more.' })
  delete(@Param('id') id: string): Promise<void> {
    return this.tenants.delete(id, this.host);
  }
}

/** /v1/operator/clusters: clusters of any tenant. */
@Controller('v1/operator/clusters')
@ApiForbiddenResponse(FORBIDDEN)
export class OperatorClustersRoutes {
  constructor(private readonly clusters: OperatorClusters) {}

  @Get(':id')
  @ApiOperation({ operationId: 'getOperatorCluster', summary: 'Look up a cluster of any tenant' })
  @ApiOkResponse({ standardSchema: nouns.OperatorCluster, description: 'The cluster, and whose it is.' })
  get(@Param('id') id: string): Promise<nouns.OperatorCluster> {
    return this.clusters.get(id);
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiOperation({ operationId: 'resumeHaltedCluster', summary: 'Let a halted cluster run again' })
  @ApiOkResponse({ standardSchema: nouns.OperatorCluster, description: 'The cluster.' })
  resume(@Param('id') id: string): Promise<nouns.OperatorCluster> {
    return this.clusters.resume(id);
  }
}

/** /v1/operator/load: what the service does now. */
@Controller('v1/operator/load')
@ApiForbiddenResponse(FORBIDDEN)
export class OperatorLoadRoutes {
  constructor(private readonly registry: Registry) {}

  @Get()
  @ApiOperation({ operationId: 'getLoad', summary: 'What the queue, and the process that answers, have to do' })
  @ApiOkResponse({ standardSchema: nouns.ServiceLoad, description: 'By its metrics.' })
  get(): Promise<nouns.ServiceLoad> {
    return readLoad(this.registry);
  }
}

/** /v1/operator/token-secrets: what signs the tokens of clusters. */
@Controller('v1/operator/token-secrets')
@ApiForbiddenResponse(FORBIDDEN)
export class TokenSecretsRoutes {
  constructor(
    private readonly signer: TokenSigner,
    private readonly invalidations: Invalidations,
  ) {}

  @Post()
  @ApiOperation({
    operationId: 'rotateTokenSecret',
    summary: 'Sign new tokens with a new secret; those of the one before are valid for a while',
  })
  @ApiCreatedResponse({ standardSchema: nouns.TokenSecret, description: 'The new secret’s id, and that while.' })
  @ApiConflictResponse({ description: 'The secret comes from the environment, or too many are still valid.' })
  async rotate(
    @Body({ schema: nouns.NewTokenSecret }) { previousFor }: nouns.NewTokenSecret,
  ): Promise<nouns.TokenSecret> {
    const rotation = await this.signer.rotate(previousFor);
    await this.invalidations.publish();
    return rotation;
  }
}
