# Installs, updates or removes the program `serena` on Windows: powershell -File install.ps1 -Help
# Changes one file in one directory only; needs no administrator rights, and edits neither the registry nor a profile.
param(
  [string]$Version = '',
  [switch]$Uninstall,
  [switch]$Help
)

Set-StrictMode -Version 3
$ErrorActionPreference = 'Stop'
# Windows PowerShell draws a progress bar that makes downloads many times slower.
$ProgressPreference = 'SilentlyContinue'

# Set when a version is published (scripts/release/write-installers.ts).
$ReleaseVersion = ''
$ReleaseBase = ''
$ReleaseSums = ''

function Show-Usage {
  Write-Output @'
usage: install.ps1 [[-Version] <version>] [-Uninstall] [-Help]

Downloads serena for this platform, verifies its hash and installs it into %LOCALAPPDATA%\Programs\serena.
A published install.ps1 installs its own version by default.

  -Uninstall           remove the program, keeping your configuration and language servers

Environment:
  SERENA_VERSION       version to install
  SERENA_INSTALL_DIR   directory to install into
  SERENA_BASE_URL      base URL of downloads: <base URL>/v<version>/<file>
'@
}

# Expected errors print one line and hints; any other exception is a bug and shows its trace.
function Stop-Install([string]$Message, [string[]]$Hints = @()) {
  $failure = New-Object System.InvalidOperationException $Message
  $failure.Data['Hints'] = $Hints
  throw $failure
}

function Get-Target {
  if ([Environment]::OSVersion.Platform -ne [PlatformID]::Win32NT) {
    Stop-Install 'this script is for Windows' @('use install.sh')
  }
  # A 32-bit PowerShell sees x86 in the first variable; the second then has the architecture of the machine.
  $cpu = $env:PROCESSOR_ARCHITECTURE
  if ($env:PROCESSOR_ARCHITEW6432) { $cpu = $env:PROCESSOR_ARCHITEW6432 }
  switch ($cpu) {
    'AMD64' { return 'windows-x64' }
    # Windows on ARM runs programs for x64.
    'ARM64' { return 'windows-x64' }
    default { Stop-Install "unsupported processor: $cpu" @('supported are x64 and ARM64') }
  }
}

function Get-Base([string]$Wanted) {
  $base = $ReleaseBase
  if ($env:SERENA_BASE_URL) { $base = $env:SERENA_BASE_URL }
  $base = $base.TrimEnd('/')
  if ($base -eq '') {
    Stop-Install 'no base URL to download from' @(
      'set SERENA_BASE_URL to the URL with the directories v<version>, or use the install.ps1 of a published version')
  }
  if ($base -notmatch '^https?://') {
    Stop-Install "SERENA_BASE_URL is not a valid URL: $base" @('it must begin with https://')
  }
  # Plain HTTP is acceptable only if the hashes are in this file.
  $isOpen = $base -match '^http://' -and $base -notmatch '^http://(127\.0\.0\.1|localhost)([:/]|$)'
  if ($isOpen -and $Wanted -ne $ReleaseVersion) {
    Stop-Install "refused: hashes and program would be downloaded over plain HTTP: $base" @('use an https URL')
  }
  return $base
}

function Save-File([string]$Url, [string]$Path, [string]$Hint) {
  try {
    Invoke-WebRequest -Uri $Url -OutFile $Path -UseBasicParsing
  } catch {
    Stop-Install "cannot download ${Url}: $($_.Exception.Message): nothing was installed" @($Hint)
  }
}

function Get-Sum([string]$Sums, [string]$File) {
  foreach ($line in $Sums -split "`n") {
    $sum, $name = $line.Trim() -split '\s+', 2
    if ($name -eq $File) { return $sum }
  }
  return ''
}

# Returns the expected hash of a file.
function Get-Expected([string]$Wanted, [string]$Base, [string]$File, [string]$Staging) {
  if ($Wanted -eq $ReleaseVersion -and $ReleaseSums -ne '') {
    $expected = Get-Sum $ReleaseSums $File
  } else {
    $path = Join-Path $Staging 'SHA256SUMS'
    Save-File "$Base/v$Wanted/SHA256SUMS" $path "Check that version $Wanted exists"
    $expected = Get-Sum (Get-Content -Raw -LiteralPath $path) $File
  }
  if (-not $expected) { Stop-Install "version $Wanted has no program for this platform: $File" }
  return $expected
}

# Returns the output of a program's --version; an empty string if it does not run.
function Get-VersionOutput([string]$Program) {
  try {
    $output = & $Program --version 2>$null
    return "$output".Trim()
  } catch {
    return ''
  }
}

# Returns whether a program passes its self-check.
function Test-Program([string]$Program) {
  try {
    & $Program self-check *> $null
    return $LASTEXITCODE -eq 0
  } catch {
    return $false
  }
}

function Show-Path([string]$Directory) {
  $entries = $env:PATH -split ';' | ForEach-Object { $_.TrimEnd('\') }
  if ($entries -contains $Directory.TrimEnd('\')) { return }
  Write-Output "$Directory is not on your PATH. To add it for your account, run:"
  Write-Output "  [Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ';$Directory', 'User')"
}

function New-Staging([string]$Directory) {
  # In the target directory, so that the final move is atomic.
  $staging = Join-Path $Directory ".serena-install.$([Guid]::NewGuid().ToString('N'))"
  try {
    New-Item -ItemType Directory -Force -Path $staging | Out-Null
  } catch {
    Stop-Install "cannot write to ${Directory}: $($_.Exception.Message)" @(
      'set SERENA_INSTALL_DIR to a writable directory')
  }
  return $staging
}

# Moves a program to its target. A running program cannot be replaced, but it can be renamed.
function Move-Program([string]$From, [string]$To) {
  $old = "$To.old"
  if (Test-Path -LiteralPath $old) { Remove-Item -Force -LiteralPath $old -ErrorAction SilentlyContinue }
  if (Test-Path -LiteralPath $To) {
    if (Test-Path -LiteralPath $old) { $old = "$To.$([Guid]::NewGuid().ToString('N')).old" }
    Move-Item -LiteralPath $To -Destination $old
  }
  Move-Item -LiteralPath $From -Destination $To
  Remove-Item -Force -LiteralPath $old -ErrorAction SilentlyContinue
}

function Install-Program([string]$Wanted, [string]$Directory) {
  if ($Wanted -eq '') {
    Stop-Install 'no version to install' @('pass one: install.ps1 -Version 1.2.3')
  }
  if ($Wanted -notmatch '^[0-9A-Za-z.+-]+$') { Stop-Install "invalid version: $Wanted" }
  $target = Get-Target
  $base = Get-Base $Wanted
  $program = Join-Path $Directory 'serena.exe'
  if ((Get-VersionOutput $program) -eq "Serena $Wanted" -and (Test-Program $program)) {
    Write-Output "Serena $Wanted is already installed: $program"
    Show-Path $Directory
    return
  }
  $staging = New-Staging $Directory
  try {
    $file = "serena-$target.zip"
    $archive = Join-Path $staging $file
    $expected = Get-Expected $Wanted $base $file $staging
    Write-Output "Downloading $base/v$Wanted/$file"
    Save-File "$base/v$Wanted/$file" $archive 'Check the network, the proxy and the version'
    $found = (Get-FileHash -Algorithm SHA256 -LiteralPath $archive).Hash.ToLowerInvariant()
    if ($found -ne $expected) {
      Stop-Install "the hash of $file does not match: nothing was installed`nexpected sha256 $expected`nfound    sha256 $found" @(
        'retry; if the error persists, do not use this source, and report it to its operator')
    }
    $unpacked = Join-Path $staging 'unpacked'
    Expand-Archive -LiteralPath $archive -DestinationPath $unpacked
    $new = Join-Path $unpacked 'serena.exe'
    $output = Get-VersionOutput $new
    if ($output -ne "Serena $Wanted") { Stop-Install "the program does not run on this machine: $output" }
    Move-Program $new $program
  } finally {
    Remove-Item -Recurse -Force -LiteralPath $staging -ErrorAction SilentlyContinue
  }
  Write-Output "Installed Serena ${Wanted}: $program"
  Show-Path $Directory
  Write-Output 'Next, configure a client: serena setup <client>'
}

function Uninstall-Program([string]$Directory) {
  $program = Join-Path $Directory 'serena.exe'
  if (-not (Test-Path -LiteralPath $program)) {
    Write-Output "$program does not exist"
    return
  }
  $output = Get-VersionOutput $program
  if ($output -ne '' -and $output -notlike 'Serena *') { Stop-Install "$program is a different program: it was not removed" }
  try {
    Remove-Item -Force -LiteralPath $program
  } catch {
    Stop-Install "cannot remove ${program}: $($_.Exception.Message)" @('stop the clients that run it')
  }
  Write-Output "Removed $program"
  Write-Output 'Your configuration, memories and language servers stay in %USERPROFILE%\.serena, or in SERENA_HOME'
}

function Invoke-Main {
  if ($Help) { Show-Usage; return }
  $wanted = $ReleaseVersion
  if ($env:SERENA_VERSION) { $wanted = $env:SERENA_VERSION }
  if ($Version) { $wanted = $Version }
  $wanted = $wanted -replace '^v', ''
  $directory = Join-Path $env:LOCALAPPDATA 'Programs\serena'
  if ($env:SERENA_INSTALL_DIR) { $directory = $env:SERENA_INSTALL_DIR }
  # Windows PowerShell enables only older protocols by default, which servers reject.
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
  if ($Uninstall) { Uninstall-Program $directory } else { Install-Program $wanted $directory }
}

# At the end, so that a truncated download does nothing.
try {
  Invoke-Main
} catch [System.InvalidOperationException] {
  if (-not $_.Exception.Data.Contains('Hints')) { throw }
  [Console]::Error.WriteLine("error: $($_.Exception.Message)")
  foreach ($hint in $_.Exception.Data['Hints']) { [Console]::Error.WriteLine("hint: $hint") }
  # Under `iex` there is no script to exit, and `exit` would close the window with the message.
  if ($PSCommandPath) { exit 1 }
}
