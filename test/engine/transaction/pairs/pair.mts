import type { KeptService, Platform } from '../../../support/keptService/index.mts';
import { snapshot } from '../../../support/keptService/kept.mts';
import { pdfOf } from './item.mts';
import type { Between, Pair } from './generate.mts';
import { judge } from './judge.mts';
import { play } from './play.mts';

/** Plays a pair at a service, and says what's wrong. */

const SENT: Between[] = ['sent', 'recalled', 'completed', 'declined', 'expired'];

/** What somebody does between the two runs. */
function happen({ colleague, kept }: KeptService, number: string, { between, first }: Pair): void {
	const [file] = first.files;
	const { signers } = kept.find(number);
	switch (between) {
		case 'editField':
			return colleague.editField(number, 'message_to_signer', 'By hand');
		case 'moveBox':
			return colleague.moveBox(number, file.name);
		case 'changeRequirement':
			return colleague.changeRequirement(number, file.name, 'identity_confirmation');
		case 'addPaper':
			return colleague.addPaper(number, 'By Hand', pdfOf({ content: 999 }));
		case 'removeSigner':
			return signers.length > 1 ? colleague.removeSigner(number, signers[0].email) : undefined;
		case 'recalled':
			return colleague.recall(number);
		case 'completed':
			return void colleague.complete(number);
		case 'declined':
			return void colleague.decline(number);
		case 'expired':
			return void colleague.expire(number);
	}
}

export async function playPair(
	service: KeptService,
	platform: Platform,
	number: string,
	pair: Pair,
): Promise<string[]> {
	const { kept } = service;
	const { first, second, between, choices } = pair;
	const then = SENT.includes(between) ? 'send' : 'draft';
	const { failure } = await play(service, platform, number, first, { then });
	// A list that hides numbers can't be told from one of nobody with a number.
	const { listHidesNumbers, showsReferences } = kept.options;
	const isHidden = listHidesNumbers || !showsReferences;
	if (isHidden && /Created Within|without its/.test(failure ?? '')) return [];
	if (failure !== undefined) return [`the first run failed: ${failure}`];
	happen(service, number, pair);
	const { state } = kept.find(number);
	const before = snapshot(kept.find(number));
	const run = async () => await play(service, platform, number, second, choices);
	const played = await run();
	const { options } = kept;
	const after = kept.all(number);
	const all = judge({ pair, platform, options, state, before, after, played });
	if (choices.ifItDiffers === 'update' && played.failure === undefined) {
		const again = await run();
		if (again.writes.length > 0)
			all.push(`an update that was done writes again: ${JSON.stringify(again.writes)}`);
	}
	if (all.length > 0 && played.failure) all.push(`It said: ${played.failure}`);
	return all;
}
