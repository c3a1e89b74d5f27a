import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import {
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { CheckWebhooks, nouns, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../../gate/current-caller.js';

/** Where a cluster's results of checks are sent: docs/CHECKS.md. */
@Controller('v1/clusters/:id/check-webhook')
export class CheckWebhookRoutes {
  constructor(private readonly webhooks: CheckWebhooks) {}

  @Get()
  @ApiOperation({ operationId: 'getCheckWebhook', summary: 'Where results of checks are sent, and how far they are' })
  @ApiOkResponse({ standardSchema: nouns.CheckWebhook, description: 'The webhook.' })
  @ApiNotFoundResponse({ description: 'The cluster has none.' })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<nouns.CheckWebhook> {
    return this.webhooks.get(caller, id);
  }

  @Put()
  @ApiOperation({ operationId: 'putCheckWebhook', summary: 'Send each change of a result of a check to a URL, signed' })
  @ApiOkResponse({ standardSchema: nouns.CheckWebhook, description: 'With the secret that signs from now on.' })
  @ApiUnprocessableEntityResponse({ description: 'The URL may not be called.' })
  put(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: nouns.CheckWebhookUrl }) { url }: nouns.CheckWebhookUrl,
  ): Promise<nouns.CheckWebhook> {
    return this.webhooks.set(caller, id, url);
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteCheckWebhook', summary: 'Send no results' })
  @ApiNoContentResponse({ description: 'There is none any more.' })
  delete(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.webhooks.remove(caller, id);
  }
}
