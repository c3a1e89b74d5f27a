-- Who shows a tenant's clusters hears of each that begins, changes as a product, or ends. Appends touch none of these columns.
create function log.announce_life() returns trigger language plpgsql as $$
begin
  perform pg_notify('terrarium_cluster_life', new.tenant_id || ' ' || new.id);
  return null;
end
$$;
create trigger cluster_life
  after insert or update of settings, labels, expires_at, idle_timeout_ms, paused_at, halted, deleted_at on log.cluster
  for each row execute function log.announce_life();
