import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { nouns, Tenants, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../../gate/current-caller.js';

/** /v1/usage: what the caller's tenant may use, and what it does. */
@Controller('v1/usage')
export class UsageRoutes {
  constructor(private readonly tenants: Tenants) {}

  @Get()
  @ApiOperation({ operationId: 'getUsage', summary: 'Read your limits, and what you use of them' })
  @ApiOkResponse({ standardSchema: nouns.Usage, description: 'Both.' })
  get(@CurrentCaller() { tenantId }: Caller): Promise<nouns.Usage> {
    return this.tenants.usage(tenantId);
  }
}
