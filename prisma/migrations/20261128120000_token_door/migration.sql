ALTER TABLE "platform"."access_token" ADD COLUMN "door" TEXT;
