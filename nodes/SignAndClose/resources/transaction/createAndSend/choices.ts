import { defineChoice, defineFlag } from '../../../form/fields';

/* What a person chooses: how far an item goes, and what becomes of what differs or is left over. */

/** What becomes of a draft that differs from its item. */
export type IfItDiffers = 'stop' | 'update' | 'keep';
/** How far an item goes. */
export type EndChoice = 'draft' | 'plan' | 'check' | 'send';

export const thenChoice = defineChoice(
	'Then',
	'then',
	[
		['Keep as Draft', 'draft', 'Leave the draft as it is. Nobody is told of it.'],
		['Show the Plan', 'plan', 'Write nothing, and say what a run would do'],
		['Check', 'check', 'Wait until the documents are processed, and say what is missing'],
		['Send', 'send', 'Send it to the signers, unless something is missing'],
	],
	'What to do once everything is in the draft',
);

export const ifItDiffersChoice = defineChoice(
	'If It Differs',
	'ifItDiffers',
	[
		['Stop', 'stop', 'Write nothing, and name each difference'],
		['Update It', 'update', 'Change the draft to what the item says. Empty values change nothing.'],
		[
			'Keep It',
			'keep',
			'Keep fields, places to sign and flags of the draft, and list what differs. Other people, another property or other documents stop the item.',
		],
	],
	'What to do with a draft that an earlier run has made, and that differs from the item',
);

export const documentsNotInTheItem = defineChoice(
	'Documents Not in the Item',
	'documentsNotInTheItem',
	[
		['Stop Before Sending', 'stop', 'Send nothing with them'],
		['Leave Them', 'leave', 'Send them, too'],
	],
	'What to do with documents of the draft that somebody else has added. Update It deletes those that this operation has added.',
);

export const sendAgainIfRecalled = defineFlag(
	'Send It Again if Recalled',
	'sendAgainIfRecalled',
	'Whether to send what somebody has recalled',
);

export const filesWithoutRule = defineChoice(
	'Files Without a Rule',
	'filesWithoutRule',
	[
		['Stop Before Sending', 'stop', 'Leave them out of a draft, and send nothing without them'],
		['Leave Out', 'leaveOut', 'Send it without them, too'],
	],
	'What to do with PDFs that no rule names, and with other files that a rule fits. The output lists them in any case.',
);
