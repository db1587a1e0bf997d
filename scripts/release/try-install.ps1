# usage: ./scripts/release/try-install.ps1
# Builds a release for Windows, serves it on loopback, and tests that install.ps1 installs, refuses and uninstalls it.
Set-StrictMode -Version 3
$ErrorActionPreference = 'Stop'

$out = Join-Path ([IO.Path]::GetTempPath()) "serena-release-$PID"
$directory = Join-Path $out 'installed'
node scripts/bootstrap.mjs scripts/release-build.ts '--target' windows-x64 '--out' $out
if ($LASTEXITCODE -ne 0) { throw 'The release was not built' }
$published = (Get-ChildItem -Directory -Path $out -Filter 'v*')[0].FullName
$port = 48731
$server = Start-Process -PassThru -NoNewWindow node -ArgumentList 'scripts/release/serve.mjs', $out, $port
$env:SERENA_BASE_URL = "http://127.0.0.1:$port"
$env:SERENA_INSTALL_DIR = $directory
$installer = Join-Path $published 'install.ps1'

function Invoke-Installer([int]$Wanted, [string[]]$Flags = @()) {
  powershell -NoProfile -ExecutionPolicy Bypass -File $installer @Flags
  if ($LASTEXITCODE -ne $Wanted) { throw "install.ps1 $Flags exited with $LASTEXITCODE instead of $Wanted" }
}

try {
  for ($try = 0; -not (Test-NetConnection -ComputerName 127.0.0.1 -Port $port -InformationLevel Quiet) -and $try -lt 20; $try++) { }
  Invoke-Installer 0
  & (Join-Path $directory 'serena.exe') self-check
  if ($LASTEXITCODE -ne 0) { throw 'The installed program fails its self-check' }
  Invoke-Installer 0
  Invoke-Installer 0 @('-Uninstall')
  if (Get-ChildItem -Force -Path $directory) { throw "Files remain in $directory" }
  Add-Content -LiteralPath (Join-Path $published 'serena-windows-x64.zip') -Value 'x'
  Invoke-Installer 1
  if (Get-ChildItem -Force -Path $directory) { throw 'A changed archive was installed' }
} finally {
  Stop-Process -Id $server.Id
  Remove-Item -Recurse -Force -LiteralPath $out -ErrorAction SilentlyContinue
}
