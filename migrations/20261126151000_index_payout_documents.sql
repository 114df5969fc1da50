-- The payouts by their documents: one number is not used for two hits.

CREATE INDEX IF NOT EXISTS payout_document_idx ON payout (document) WHERE document IS NOT NULL;
