-- Where a cluster's results of checks are sent, and how far they have been.
CREATE TABLE "platform"."check_webhook" (
    "cluster_id" TEXT NOT NULL,
    "tenant_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "salt" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_revision" BIGINT NOT NULL DEFAULT 0,
    "sent_revision" BIGINT NOT NULL DEFAULT 0,
    "due_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,

    CONSTRAINT "check_webhook_pkey" PRIMARY KEY ("cluster_id")
);

CREATE INDEX "check_webhook_tenant_id_idx" ON "platform"."check_webhook"("tenant_id");
ALTER TABLE "platform"."check_webhook" ADD CONSTRAINT "check_webhook_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "platform"."tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

GRANT SELECT, INSERT, UPDATE, DELETE ON "platform"."check_webhook" TO terrarium_tenant;
ALTER TABLE "platform"."check_webhook" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "own" ON "platform"."check_webhook" TO terrarium_tenant USING ("tenant_id" = nullif(current_setting('terrarium.tenant', true), '')::uuid);
