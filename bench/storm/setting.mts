import type { RunningN8n } from '../../host/run/n8n.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import type { AccountName } from './accounts.mts';
import type { CallingService } from './callingService.mts';
import type { Ledger } from './ledger.mts';
import type { Sender } from './sending.mts';
import type { CredentialReference } from '../../host/clients/n8n/types.mts';

/* What the parts of a storm work with. */

/** How long and how big some of it is. */
export interface Sizes {
	/** How long a refusal, an outage or the use of another account lasts, in milliseconds. */
	lastsMs: number;
	/** How long a platform refuses its list, in milliseconds. */
	platformLastsMs: number;
	/** How many events a backlog has. */
	undelivered: number;
}

/** What disturbances work with. */
export interface Storm extends Sizes {
	sandbox: Sandbox;
	service: CallingService;
	ledger: Ledger;
	sender: Sender;
	/** How many deliveries are planned. */
	planned: number;
	workflowId: string;
	/** n8n's database. */
	database: string;
	credentials: Record<AccountName, CredentialReference>;
	/** A transaction of the first account. */
	transactionId: string;
	n8n: () => RunningN8n;
	/** Kills n8n and starts it again, and does something while it's down. */
	restart: (meanwhile?: () => void | Promise<void>) => Promise<void>;
	/** Receives how long n8n had no URL during a publishing, in milliseconds. */
	noteGap: (ms: number) => void;
}
