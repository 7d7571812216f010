-- Writes one entry down by itself.
auditWrite()
return 'written'
