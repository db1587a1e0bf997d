
$ReleaseVersion = ''
$ReleaseBase = ''
$ReleaseSums = ''
