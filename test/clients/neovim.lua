-- Asks the language server about `b.py`, renames with its edit, changes the text without saving it, and writes what it got
-- to `out.txt`.
local id = vim.lsp.start_client({ cmd = vim.split(os.getenv('SERENA_COMMAND'), '\n'), root_dir = vim.fn.getcwd() })
vim.cmd('edit b.py')
local buffer = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(buffer, id)
local client = vim.lsp.get_client_by_id(id)
vim.wait(60000, function() return client.initialized == true end, 50)

local function ask(method, more)
  local params = { textDocument = { uri = vim.uri_from_bufnr(buffer) }, position = { line = 3, character = 1 } }
  local answers = vim.lsp.buf_request_sync(buffer, method, vim.tbl_extend('error', params, more), 60000)
  return answers and answers[id] and answers[id].result
end
local function problems()
  return vim.tbl_map(function(one) return one.message end, vim.diagnostic.get(buffer, { severity = 1 }))
end

local out = { 'references: ' .. #ask('textDocument/references', { context = { includeDeclaration = true } }) }
vim.wait(60000, function() return #problems() > 0 end, 50)
table.insert(out, 'problems: ' .. table.concat(problems(), ', '))
vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', { newName = 'uno' }), client.offset_encoding)
vim.cmd('silent wall')
vim.api.nvim_buf_set_lines(buffer, 2, 3, false, { 'uno()' })
vim.wait(60000, function() return #problems() == 0 end, 50)
table.insert(out, 'problems of the unsaved text: ' .. #problems())
vim.fn.writefile(out, 'out.txt')
vim.cmd('qall!')
