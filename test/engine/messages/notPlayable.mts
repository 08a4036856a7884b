/** Messages whose remedies can't be played, and why. */
export const NOT_PLAYABLE: Record<string, string> = {
	'code: notShown': 'Nothing can be done but to ask the service, which did what it was asked',
	'code: foreignOrigin': 'No field leads to another origin: the message is of a guard in the code',
	'code: forbiddenLink': 'Only the service can mend a link that it sends',
	'fault: /^ERR_(INVALID|UNESCAPED|HTTP_INVALID)/':
		'What a field takes is encoded or refused, so n8n has no such request to stop',
	'fault: /(?:)/': 'Each fault of a network that a test can make has a message of its own',
	"copy/plan.ts:  wasn't deleted. Look at the copy, and run the workflow agai":
		'Somebody changes the copy between two requests: copyAnswers.test.mts plays that',
	'createAndSend/steps/endStep.ts: Nothing was sent':
		'Somebody changes the draft between two requests: foundMeanwhile.test.mts plays that',
	'replaceDocuments/steps.ts: This run changed nothing. If another one is at work, wait un':
		'Another run works between two requests: twoProcesses.test.mts plays that',
	'replaceDocuments/steps.ts: It was recalled meanwhile, and none of its documents was rep':
		'Somebody signs between two requests, and the service takes the recall all the same',
	'replaceDocuments/steps.ts: Nothing more was changed':
		'Somebody signs between two requests: replaced.test.mts plays that',
	"copy/plan.ts: Two are there now: delete the copy with 'Transaction: Delete":
		'Somebody signs between two requests: copy.test.mts plays that',
};
