// Hubot with its own express, an adapter that checks the signature and hands on the words of a command, and one thing that
// it hears.
import { Adapter, Robot, TextMessage, User } from 'hubot';
import { isSigned } from './signature.mjs';
import { sayReady } from './env.mjs';

class Slack extends Adapter {
  async run() {
    this.robot.router.post('/slack/events', (request, response) => {
      if (!isSigned(request.headers, Buffer.concat(request.bytes))) {
        response.writeHead(401).end();
        return;
      }
      const { user_id: userId, text, trigger_id: id } = request.body;
      const message = new TextMessage(new User(userId), text, id);
      message.answer = response;
      void this.robot.receive(message);
    });
  }

  async send({ message }) {
    message.answer.writeHead(200).end();
  }
}

const robot = new Robot({ use: (one) => new Slack(one) }, true, 'lamplighter');
robot.events.on('listening', (server) => {
  // Express parses the body before the adapter sees it, and the signature is of its bytes.
  server.prependListener('request', (request) => {
    request.bytes = [];
    request.on('data', (part) => request.bytes.push(part));
  });
});
robot.hear(/^help$/, (response) => response.send('help'));
await robot.loadAdapter();
await robot.run();
sayReady(robot.server);
