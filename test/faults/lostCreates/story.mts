import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { ADD_DOCUMENT, CLOSING, fieldsIn, id, toForm } from '../../support/closing.mts';
import type { Draw } from '../../support/faultSeeds/draw.mts';
import { drawFrom } from '../../support/faultSeeds/draw.mts';
import {
	startLedgerService,
	type Fate,
	type LedgerService,
	type Manner,
} from './ledgerService.mts';

/** Draws from a seed what a person's workflow creates, and how the service behaves meanwhile. */

/** All times of the node and of the service are so much shorter than in earnest. */
const SCALE = 1 / 200;

/** Milliseconds of the test for seconds in earnest. */
export const seconds = (inEarnest: number) => inEarnest * 1000 * SCALE;

/** A lost create that lands within so many seconds is to be found. */
export const FOUND_WITHIN_S = 100;

/** What a seed draws. */
export interface Story {
	service: LedgerService;
	/** What is created, for a person. */
	name: string;
	parameters: IDataObject;
	/** `json.name` is the marker of each. */
	items: INodeExecutionData[];
	/** Whether a lost create can be recognized: its reference is ours, and the service shows it. */
	isRecognizable(index: number): boolean;
}

const LOSSES = ['gatewayTimeout', 'badGateway', 'cut', 'garbled', 'page', 'empty'] as const;
const KINDS = ['transaction', 'closing', 'document', 'documentOfClosing'] as const;
type Kind = (typeof KINDS)[number];

const FIRST_SIGNER = { email: 'jane@example.com', first_name: 'Jane', last_name: 'Doe' };
const OTHER_SIGNER = { email: 'mary@example.com', first_name: 'Mary', last_name: 'Major' };
/** Longer than the node takes clocks to differ. */
const LONG_AGO_MS = 600_000;

/** Draws the story of a seed, and starts its service. */
export async function drawStory(seed: number, draw: Draw): Promise<Story> {
	const kind = draw.one(KINDS);
	const isDocument = kind.startsWith('document');
	const given = new Map<string, string>();
	const manner: Manner = {
		shows: draw.one(['everywhere', 'everywhere', 'singly', 'nowhere']),
		hidden: draw.one(['noKey', 'null']),
		newestFirst: draw.chance(0.5),
		lagMs: draw.chance(0.5) ? draw.number() * seconds(10) : 0,
		outage: draw.one(['unavailable', 'cut', 'page']),
		fateOf: fates(seed, draw.one([0.4, 0.7, 1]), kind, given),
	};
	const service = await startLedgerService(seed, manner);
	const shared = draw.chance(0.5);
	const parent = () => service.hold({ transaction_name: 'Bundle', signers: [FIRST_SIGNER] });
	const first = isDocument ? parent() : undefined;
	const givesIds = !isDocument && draw.chance(0.5);
	const items = Array.from({ length: draw.whole(1, 4) }, (_, index) => {
		const name = `Deed ${seed}-${index + 1}`;
		if (givesIds && draw.chance(0.7)) {
			given.set(name, `order-${seed}-${index + 1}`);
			if (draw.chance(0.5))
				service.hold(olderOne(kind, name, given.get(name)!), Date.now() - LONG_AGO_MS);
		}
		const json = { name, given: given.get(name) ?? '', parent: shared ? first : first && parent() };
		return { json };
	});
	const { shows } = manner;
	return {
		service,
		name: `${kind}, references shown ${shows}`,
		parameters: PARAMETERS[kind],
		items,
		isRecognizable: (index) => shows !== 'nowhere' && !given.has(items[index].json.name),
	};
}

const EXTERNAL_ID = { external_id: '={{ $json.given }}' };
const IN_TRANSACTION: IDataObject = {
	...ADD_DOCUMENT,
	transactionId: id('={{ $json.parent }}'),
	documentName: '={{ $json.name }}',
	source: 'url',
	fileUrl: 'https://example.com/deed.pdf',
};
const PARAMETERS: Record<Kind, IDataObject> = {
	transaction: {
		resource: 'transaction',
		operation: 'create',
		transactionName: '={{ $json.name }}',
		signers: { row: [FIRST_SIGNER] },
		documents: {},
		draft: true,
		...toForm(EXTERNAL_ID),
	},
	closing: {
		...CLOSING,
		transactionName: '={{ $json.name }}',
		signers: { row: [FIRST_SIGNER] },
		...toForm({ ...fieldsIn(CLOSING), ...EXTERNAL_ID }),
	},
	document: { ...IN_TRANSACTION, platform: 'business' },
	documentOfClosing: IN_TRANSACTION,
};

/** What somebody made of the same order some time ago. */
const olderOne = (kind: Kind, name: string, externalId: string): IDataObject => ({
	transaction_name: name,
	...(kind === 'closing' && { transaction_type: CLOSING.transactionType }),
	external_id: externalId,
	signers: [FIRST_SIGNER],
});

/**
 * From and until how many seconds after a lost answer its work is there; until 0 for never. All of it
 * comes before absence counts.
 */
const LANDS = [
	[0, 0],
	[0, 0],
	[0, 0.001],
	[0, 0.001],
	[0, 30],
	[0, 30],
	[60, FOUND_WITHIN_S],
] as const;

/** Draws what becomes of each create: the same, in whatever order they come. */
function fates(seed: number, lossRate: number, kind: Kind, given: ReadonlyMap<string, string>) {
	return (marker: string, nth: number): Fate => {
		const draw = drawFrom(seed * 10_000 + Number(marker.at(-1)) * 100 + nth);
		const common = { strangers: strangers(draw, kind, given.get(marker)), outageMs: 0 };
		if (draw.chance(0.05)) return { ...common, refused: true };
		if (!draw.chance(lossRate)) return { ...common, landsAfterMs: 0 };
		const [least, most] = draw.one(LANDS);
		return {
			...common,
			loss: draw.one(LOSSES),
			...(most > 0 && { landsAfterMs: seconds(least + draw.number() * (most - least)) }),
			outageMs: draw.chance(0.25) ? draw.number() * seconds(20) : 0,
		};
	};
}

/**
 * What others make at the same moment, with the same name and signers. One single transaction with
 * the person's External ID, type and signers isn't among it: nothing tells that from the person's own.
 */
function strangers(draw: Draw, kind: Kind, externalId: string | undefined): IDataObject[] {
	const field = kind.startsWith('document') ? 'tracking_id' : 'external_id';
	const references = [
		undefined,
		'order-7',
		`n8n-${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`,
	];
	const others = Array.from({ length: draw.whole(0, 2) }, () => ({
		[field]: draw.one(references),
	}));
	if (externalId === undefined || draw.chance(0.3)) return others;
	const alike = { external_id: externalId };
	const unlike =
		kind === 'closing' && draw.chance(0.5)
			? { ...alike, transaction_type: 'purchase_seller' }
			: { ...alike, signer: undefined, signers: [OTHER_SIGNER] };
	return [...others, ...draw.one([[unlike], [unlike], [alike, alike]])];
}
