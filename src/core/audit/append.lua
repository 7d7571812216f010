-- Writes one entry down by itself.
if auditIsStale() then return 'stale' end
auditWrite()
return 'written'
