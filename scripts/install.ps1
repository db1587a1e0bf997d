# Installs, updates or removes the program `serena` on Windows: powershell -File install.ps1 -Help
# Changes nothing but one file in one directory; asks for no rights, and edits neither the registry nor a profile.
param(
  [string]$Version = '',
  [switch]$Uninstall,
  [switch]$Help
)

Set-StrictMode -Version 3
$ErrorActionPreference = 'Stop'
# Windows PowerShell draws a progress bar that makes downloads many times slower.
$ProgressPreference = 'SilentlyContinue'

# Filled in where a version is published (scripts/release/write-installers.ts).
$ReleaseVersion = ''
$ReleaseBase = ''
$ReleaseSums = ''

function Show-Usage {
  Write-Output @'
usage: install.ps1 [[-Version] <version>] [-Uninstall] [-Help]

Downloads the program serena for this machine, checks its hash and puts it into %LOCALAPPDATA%\Programs\serena.
A published install.ps1 installs the version it came with, unless another is named.

  -Uninstall           remove the program; your configuration and language servers stay

Environment:
  SERENA_VERSION       the version, as the argument
  SERENA_INSTALL_DIR   the directory to install into
  SERENA_BASE_URL      where versions are downloaded from: <this>/v<version>/<file>
'@
}

# What a person can act on is told in one line with hints; anything else is a fault and shows its trace.
function Stop-Install([string]$Message, [string[]]$Hints = @()) {
  $failure = New-Object System.InvalidOperationException $Message
  $failure.Data['Hints'] = $Hints
  throw $failure
}

function Get-Target {
  if ([Environment]::OSVersion.Platform -ne [PlatformID]::Win32NT) {
    Stop-Install 'This script is for Windows' @('Use install.sh')
  }
  # A 32-bit PowerShell is told about itself; the second variable then tells of the machine.
  $cpu = $env:PROCESSOR_ARCHITECTURE
  if ($env:PROCESSOR_ARCHITEW6432) { $cpu = $env:PROCESSOR_ARCHITEW6432 }
  switch ($cpu) {
    'AMD64' { return 'windows-x64' }
    # Windows on ARM runs programs for x64.
    'ARM64' { return 'windows-x64' }
    default { Stop-Install "There is no program for this processor: $cpu" @('It has to be x64 or ARM64') }
  }
}

function Get-Base([string]$Wanted) {
  $base = $ReleaseBase
  if ($env:SERENA_BASE_URL) { $base = $env:SERENA_BASE_URL }
  $base = $base.TrimEnd('/')
  if ($base -eq '') {
    Stop-Install 'This script does not know where to download from' @(
      'Set SERENA_BASE_URL to the address that has the directories v<version>, or use the install.ps1 of a published version')
  }
  if ($base -notmatch '^https?://') {
    Stop-Install "SERENA_BASE_URL is no address: $base" @('It begins with https://')
  }
  # What comes over an open line is as good as the hashes in this file, where it has them.
  $isOpen = $base -match '^http://' -and $base -notmatch '^http://(127\.0\.0\.1|localhost)([:/]|$)'
  if ($isOpen -and $Wanted -ne $ReleaseVersion) {
    Stop-Install "Refused: hashes would come over the same open line as the program: $base" @('Use an https address')
  }
  return $base
}

function Save-File([string]$Url, [string]$Path, [string]$Hint) {
  try {
    Invoke-WebRequest -Uri $Url -OutFile $Path -UseBasicParsing
  } catch {
    Stop-Install "Cannot download ${Url}: $($_.Exception.Message): nothing was installed" @($Hint)
  }
}

function Get-Sum([string]$Sums, [string]$File) {
  foreach ($line in $Sums -split "`n") {
    $sum, $name = $line.Trim() -split '\s+', 2
    if ($name -eq $File) { return $sum }
  }
  return ''
}

# Returns the hash that a file of a version has to have.
function Get-Expected([string]$Wanted, [string]$Base, [string]$File, [string]$Staging) {
  if ($Wanted -eq $ReleaseVersion -and $ReleaseSums -ne '') {
    $expected = Get-Sum $ReleaseSums $File
  } else {
    $path = Join-Path $Staging 'SHA256SUMS'
    Save-File "$Base/v$Wanted/SHA256SUMS" $path "Check that there is a version $Wanted"
    $expected = Get-Sum (Get-Content -Raw -LiteralPath $path) $File
  }
  if (-not $expected) { Stop-Install "Version $Wanted has no program for this machine: $File" }
  return $expected
}

# Runs a program with --version and returns what it says; an empty string where it does not run.
function Get-Said([string]$Program) {
  try {
    $said = & $Program --version 2>$null
    return "$said".Trim()
  } catch {
    return ''
  }
}

# Returns whether a program finds itself whole.
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
  # Beside its place, so that the program gets there whole or not at all.
  $staging = Join-Path $Directory ".serena-install.$([Guid]::NewGuid().ToString('N'))"
  try {
    New-Item -ItemType Directory -Force -Path $staging | Out-Null
  } catch {
    Stop-Install "Cannot write to ${Directory}: $($_.Exception.Message)" @(
      'Set SERENA_INSTALL_DIR to a directory that you may write to')
  }
  return $staging
}

# Puts a program into its place. One that runs cannot be replaced, but it can be renamed.
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
    Stop-Install 'This script does not know which version to install' @('Name one: install.ps1 -Version 1.2.3')
  }
  if ($Wanted -notmatch '^[0-9A-Za-z.+-]+$') { Stop-Install "No version: $Wanted" }
  $target = Get-Target
  $base = Get-Base $Wanted
  $program = Join-Path $Directory 'serena.exe'
  if ((Get-Said $program) -eq "Serena $Wanted" -and (Test-Program $program)) {
    Write-Output "Serena $Wanted is installed already: $program"
    Show-Path $Directory
    return
  }
  $staging = New-Staging $Directory
  try {
    $file = "serena-$target.zip"
    $archive = Join-Path $staging $file
    $expected = Get-Expected $Wanted $base $file $staging
    Write-Output "Downloading $base/v$Wanted/$file"
    Save-File "$base/v$Wanted/$file" $archive 'Check the network, a proxy, the version'
    $found = (Get-FileHash -Algorithm SHA256 -LiteralPath $archive).Hash.ToLowerInvariant()
    if ($found -ne $expected) {
      Stop-Install "$file is not what it should be: nothing was installed`nexpected sha256 $expected`nfound    sha256 $found" @(
        'Try again; if it stays so, do not use this source, and tell the people who run it')
    }
    $unpacked = Join-Path $staging 'unpacked'
    Expand-Archive -LiteralPath $archive -DestinationPath $unpacked
    $new = Join-Path $unpacked 'serena.exe'
    $said = Get-Said $new
    if ($said -ne "Serena $Wanted") { Stop-Install "The program does not run here: $said" }
    Move-Program $new $program
  } finally {
    Remove-Item -Recurse -Force -LiteralPath $staging -ErrorAction SilentlyContinue
  }
  Write-Output "Installed Serena ${Wanted}: $program"
  Show-Path $Directory
  Write-Output 'Make a client use it: serena setup <client>'
}

function Uninstall-Program([string]$Directory) {
  $program = Join-Path $Directory 'serena.exe'
  if (-not (Test-Path -LiteralPath $program)) {
    Write-Output "There is no $program"
    return
  }
  $said = Get-Said $program
  if ($said -ne '' -and $said -notlike 'Serena *') { Stop-Install "$program is another program: left as it is" }
  try {
    Remove-Item -Force -LiteralPath $program
  } catch {
    Stop-Install "Cannot remove ${program}: $($_.Exception.Message)" @('End the clients that run it')
  }
  Write-Output "Removed $program"
  Write-Output 'Your configuration, memories and language servers stay in %USERPROFILE%\.serena, or where SERENA_HOME says'
}

function Invoke-Main {
  if ($Help) { Show-Usage; return }
  $wanted = $ReleaseVersion
  if ($env:SERENA_VERSION) { $wanted = $env:SERENA_VERSION }
  if ($Version) { $wanted = $Version }
  $wanted = $wanted -replace '^v', ''
  $directory = Join-Path $env:LOCALAPPDATA 'Programs\serena'
  if ($env:SERENA_INSTALL_DIR) { $directory = $env:SERENA_INSTALL_DIR }
  # Windows PowerShell starts with older protocols than servers take.
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
  if ($Uninstall) { Uninstall-Program $directory } else { Install-Program $wanted $directory }
}

# In the last lines, so that a script that was cut off does nothing.
try {
  Invoke-Main
} catch [System.InvalidOperationException] {
  if (-not $_.Exception.Data.Contains('Hints')) { throw }
  [Console]::Error.WriteLine("error: $($_.Exception.Message)")
  foreach ($hint in $_.Exception.Data['Hints']) { [Console]::Error.WriteLine("hint: $hint") }
  # Run by `iex` there is no script to end, and `exit` would close the window with the message in it.
  if ($PSCommandPath) { exit 1 }
}
