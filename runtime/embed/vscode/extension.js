// Tasks: throng runs, shows or tests the file in the editor; its errors become problems at their lines.
const vscode = require("vscode");

const TASKS = { run: "run the scenario", view: "watch the scenario in a window", test: "run the tests in this file" };

function taskOf(definition) {
  const path = vscode.workspace.getConfiguration("throng").get("path");
  const words = [definition.command, definition.file || "${file}", ...(definition.arguments || [])];
  const text = TASKS[definition.command] || definition.command;
  const task = new vscode.Task(definition, vscode.TaskScope.Workspace, text, "throng",
    new vscode.ProcessExecution(path, words), "$throng");
  task.group = definition.command === "test" ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
  return task;
}

const provider = {
  provideTasks: () => Object.keys(TASKS).map((command) => taskOf({ type: "throng", command })),
  resolveTask: (task) => (task.definition.command ? taskOf(task.definition) : undefined),
};

exports.activate = (context) => context.subscriptions.push(vscode.tasks.registerTaskProvider("throng", provider));
