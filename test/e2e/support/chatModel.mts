import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Calls of tools, by name and arguments. */
export type Calls = Array<{ tool: string; args: object }>;
/** What the model makes the agent do in one turn. It may depend on what tools have told it so far. */
export type Turn = Calls | ((told: readonly string[]) => Calls);

/** A tool as the model gets to know it. */
interface OfferedTool {
	name: string;
	description: string;
	/** JSON schema of the arguments. */
	parameters: { properties?: Record<string, unknown> };
}

interface Message {
	role: string;
	content: unknown;
}

/**
 * A chat model with OpenAI's interface that follows a script: it calls tools, one turn after the
 * other, and then answers.
 */
export async function startChatModel(): Promise<{
	url: string;
	/**
	 * What the model is to do from now on.
	 * @param answer what it says in the end, from what tools have told it; "Done." when left out
	 */
	follow(script: Turn[], answer?: (told: readonly string[]) => string): void;
	/** The tools that the last request offered. */
	offered: OfferedTool[];
	/** What tools have told the model in this conversation. */
	told: string[];
	close(): Promise<void>;
}> {
	const told: string[] = [];
	const offered: OfferedTool[] = [];
	let left: Turn[] = [];
	let answerWith = (_told: readonly string[]) => 'Done.';
	let calls = 0;
	const server = createServer(async (request, response) => {
		const { messages, tools = [] } = (await bodyOf(request)) as {
			messages: Message[];
			tools?: Array<{ function: OfferedTool }>;
		};
		// Each request holds the whole conversation.
		told.splice(0, told.length, ...messages.flatMap(toolText));
		offered.splice(0, offered.length, ...tools.map((tool) => tool.function));
		let turn: Calls | undefined;
		let answer = '';
		try {
			const next = left.shift();
			turn = typeof next === 'function' ? next(told) : next;
			if (turn === undefined) answer = answerWith(told);
		} catch (thrown) {
			// Told in the output of the agent, where a test sees it.
			answer = `The script of the model: ${String(thrown)}. It was told: ${told.join('\n')}`;
		}
		response.setHeader('content-type', 'application/json');
		response.end(
			JSON.stringify({
				id: 'chatcmpl-1',
				object: 'chat.completion',
				created: 0,
				model: 'scripted',
				choices: [
					{
						index: 0,
						finish_reason: turn === undefined ? 'stop' : 'tool_calls',
						message: {
							role: 'assistant',
							content: turn === undefined ? answer : null,
							...(turn !== undefined && {
								tool_calls: turn.map(({ tool, args }) => ({
									id: `call_${++calls}`,
									type: 'function',
									function: { name: tool, arguments: JSON.stringify(args) },
								})),
							}),
						},
					},
				],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		follow(script, answer = () => 'Done.') {
			left = [...script];
			answerWith = answer;
		},
		offered,
		told,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return JSON.parse(Buffer.concat(chunks).toString());
}

const toolText = ({ role, content }: Message): string[] =>
	role === 'tool' ? [typeof content === 'string' ? content : JSON.stringify(content)] : [];
