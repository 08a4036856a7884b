import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { id } from '../closing.mts';
import { VARIANTS, type Variant } from './generate.mts';
import { documentsOf, recordOf } from './memory.mts';
import type { PublishedRequest } from './server.mts';

/** Runs of the operations at the published server (test/published/operations.test.mts). */

export interface PublishedRun {
	/** Which of several runs of the operation it is. */
	title: string;
	parameters: IDataObject;
	/** Makes the item that the node is given. */
	item?: () => Promise<INodeExecutionData>;
	/** The field of an output item that says what it is about. */
	mark: string;
	/** The values of the mark in the output, each once and sorted. */
	expected: unknown[] | ((made: Made) => unknown[]);
	/**
	 * Shapes of answers that do not show what the operation needs: there it may fail, with words that
	 * help.
	 */
	withheld?: Shape[];
}

/** A variant, or the one in which writes are answered with an empty body. */
export type Shape = Variant | 'emptyWrites';
export const SHAPES: Shape[] = [...VARIANTS, 'emptyWrites'];

interface Made {
	shape: Shape;
	/** What the node asked the server. */
	requests: PublishedRequest[];
}

/** Transactions that exist, in the state that their name says. */
export const DRAFT = 'ot_draft01';
export const SENT = 'ot_sent001';
export const DONE = 'ot_done001';
/** A document of the draft, one of the completed transaction, and the record of the latter. */
export const [DRAFTED_DOCUMENT] = documentsOf(DRAFT);
export const [DONE_DOCUMENT] = documentsOf(DONE);
export const DONE_RECORD = recordOf({ id: DONE });
export const PDF_URL = 'https://example.com/deed-of-trust.pdf';

export const chosen = (transactionId: string) => ({ transactionId: id(transactionId) });
export const chosenDocument = (transactionId: string, documentId: string) => ({
	...chosen(transactionId),
	documentId: id(documentId),
});

/** The same run on each platform. */
export const onBoth = (run: Omit<PublishedRun, 'title'>): PublishedRun[] =>
	(['business', 'realEstate'] as const).map((platform) => ({
		...run,
		title: platform,
		parameters: { ...run.parameters, platform },
	}));

/** One run. */
export const once = (run: Omit<PublishedRun, 'title'>): PublishedRun[] => [{ title: '', ...run }];

/** The ID of what the last create made, whether its answer showed it or not. */
export const created = ({ requests }: Made): unknown[] => {
	const creates = requests.filter(({ method, status }) => method === 'POST' && status === 200);
	return [creates.at(-1)?.about];
};
